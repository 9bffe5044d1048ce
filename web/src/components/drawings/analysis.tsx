/** No analyses: a text from which nothing has been drawn yet. */
import { Accent, Drawing, Words } from "./drawing";

export function NoAnalysis({ className }: { className?: string | undefined }) {
  return (
    <Drawing className={className}>
      <path d="M24 12h60l16 16v72H24z" />
      <path d="M84 12v16h16" />
      <Words x={36} y={42} widths={[18, 24]} />
      <Words x={36} y={58} widths={[30, 12]} />
      <Words x={36} y={74} widths={[12, 22]} />
      <path d="M124 92h56" />
      <path d="M124 92V40" />
      <Accent>
        <path d="M136 92V74M150 92V58M164 92V66" strokeDasharray="4 5" />
      </Accent>
    </Drawing>
  );
}
