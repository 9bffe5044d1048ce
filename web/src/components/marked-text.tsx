/** A text with highlighted matches. */

interface MarkedTextProps {
  text: string;
  /** Start and end in UTF-16 units, in order and without overlaps. */
  ranges: readonly (readonly number[])[];
}

export function MarkedText({ text, ranges }: MarkedTextProps) {
  return (
    <>
      {pieces(text, ranges).map(({ from, words, marked }) =>
        marked ? (
          <mark key={from} className="rounded-sm bg-voice-word px-0.5 text-ink">
            {words}
          </mark>
        ) : (
          words
        ),
      )}
    </>
  );
}

/** Splits the text into highlighted and other parts. Ranges outside of the text are ignored. */
export function pieces(text: string, ranges: readonly (readonly number[])[]) {
  const all: { from: number; words: string; marked: boolean }[] = [];
  let position = 0;
  const take = (until: number, marked: boolean) => {
    if (until > position) all.push({ from: position, words: text.slice(position, until), marked });
    position = Math.max(position, until);
  };
  for (const [from = 0, to = 0] of ranges) {
    if (from < position || to > text.length) continue;
    take(from, false);
    take(to, true);
  }
  take(text.length, false);
  return all;
}
