/** A name that is cut in its middle: the end tells files of one series apart, and has the type. */

/** Characters of the end that always stay. */
const TAIL = 12;
/** A name of so few characters has no end of its own. */
const SHORT = 24;

export function FileName({ name }: { name: string }) {
  const { head, tail } = splitName(name);
  return (
    <p className="min-w-0 font-strong" title={name}>
      {/* Read and found as one; a name that turns its direction turns nothing else. */}
      <bdi className="sr-only">{name}</bdi>
      <bdi aria-hidden="true" className="flex">
        <span className="truncate whitespace-pre">{head}</span>
        {tail && <span className="shrink-0 whitespace-pre">{tail}</span>}
      </bdi>
    </p>
  );
}

/** The part that may be cut, and the end that may not. Letters stay whole with their marks. */
export function splitName(name: string): { head: string; tail: string } {
  const letters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment);
  if (letters.length <= SHORT) {
    return { head: name, tail: "" };
  }
  return { head: letters.slice(0, -TAIL).join(""), tail: letters.slice(-TAIL).join("") };
}
