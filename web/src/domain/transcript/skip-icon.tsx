/** A circular arrow with the number of seconds in it. */

/** An open circle whose arrowhead points back; mirrored for forward. */
const ARC = "M5.1 8.2A8.4 8.4 0 1 1 3.6 12.9";
const HEAD = "M4.4 3.6v5h5";

export function SkipIcon({ seconds }: { seconds: number }) {
  const back = seconds < 0;
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="1.75" className="size-6!">
      <g strokeLinecap="round" strokeLinejoin="round" transform={back ? undefined : "matrix(-1 0 0 1 24 0)"}>
        <path d={ARC} />
        <path d={HEAD} />
      </g>
      <text
        x="12"
        y="15.6"
        textAnchor="middle"
        stroke="none"
        fill="currentColor"
        fontSize="8.2"
        fontWeight="600"
        className="figures"
      >
        {Math.abs(seconds)}
      </text>
    </svg>
  );
}
