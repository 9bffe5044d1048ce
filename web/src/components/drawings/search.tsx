/** Nothing found: a glass over lines that do not have it. */
import { Accent, Drawing, Words } from "./drawing";

export function NothingFound({ className }: { className?: string | undefined }) {
  return (
    <Drawing className={className}>
      <Words x={24} y={24} widths={[34, 18, 46]} />
      <Words x={24} y={44} widths={[20, 22]} />
      <Words x={24} y={64} widths={[28, 14]} />
      <Words x={24} y={84} widths={[16, 36]} />
      <Accent>
        <circle cx="124" cy="58" r="32" />
        <path d="M147 81l27 25" />
      </Accent>
      <path d="M112 58h24" strokeDasharray="1 7" />
    </Drawing>
  );
}
