/** No links: a page, and the two ends of a chain that do not meet. */
import { Accent, Drawing, Words } from "./drawing";

export function NoLinks({ className }: { className?: string | undefined }) {
  return (
    <Drawing className={className}>
      <path d="M24 12h46l16 16v72h-62z" />
      <path d="M70 12v16h16" />
      <Words x={36} y={46} widths={[14, 16]} />
      <Words x={36} y={62} widths={[22, 8]} />
      <Words x={36} y={78} widths={[10]} />
      <Accent>
        <path d="M128 66l-8 8a14 14 0 0 1-20-20l12-12a14 14 0 0 1 18-2" />
        <path d="M150 46l8-8a14 14 0 0 1 20 20l-12 12a14 14 0 0 1-18 2" />
      </Accent>
      <path d="M134 60l8-8" strokeDasharray="1 5" />
    </Drawing>
  );
}
