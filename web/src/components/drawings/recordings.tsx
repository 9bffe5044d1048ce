/** No recordings: a voice on its way to an empty page. */
import { Accent, Drawing, Voice, Words } from "./drawing";

export function NoRecordings({ className }: { className?: string | undefined }) {
  return (
    <Drawing className={className}>
      <Voice x={18} y={56} heights={[10, 24, 44, 18, 62, 34, 70, 26, 46, 14]} />
      <path d="M118 12h46l16 16v72h-62z" />
      <path d="M164 12v16h16" />
      <Accent>
        <path d="M90 56h18M102 50l6 6-6 6" />
        <Words x={130} y={44} widths={[12]} />
      </Accent>
      <path d="M130 60h38M130 76h38" strokeDasharray="1 7" />
    </Drawing>
  );
}
