/** A sentence with commands or names between backticks. */
export function TextWithCode({ text }: { text: string }) {
  const parts = text.split("`").map((part, index) => ({ part, isCode: index % 2 === 1, key: `${index}-${part}` }));
  return parts.map(({ part, isCode, key }) =>
    isCode ? (
      <code key={key} className="font-mono text-[0.92em] wrap-anywhere">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
