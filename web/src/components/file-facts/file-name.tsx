/** A file name truncated in the middle: its end distinguishes files of a series and contains the extension. */

/** Number of characters at the end that are always shown. */
const TAIL = 12;
/** Names up to this length are not split. */
const UNSPLIT_LENGTH = 24;

export function FileName({ name }: { name: string }) {
  const { head, tail } = splitName(name);
  return (
    <p className="min-w-0 font-strong" title={name}>
      {/* Announced and found as one text; isolated from the direction of other text. */}
      <bdi className="sr-only">{name}</bdi>
      <bdi aria-hidden="true" className="flex">
        <span className="truncate whitespace-pre">{head}</span>
        {tail && <span className="shrink-0 whitespace-pre">{tail}</span>}
      </bdi>
    </p>
  );
}

/** The part that can be truncated, and the end. Combining marks stay with their characters. */
export function splitName(name: string): { head: string; tail: string } {
  const characters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment);
  if (characters.length <= UNSPLIT_LENGTH) {
    return { head: name, tail: "" };
  }
  return { head: characters.slice(0, -TAIL).join(""), tail: characters.slice(-TAIL).join("") };
}
