/** Silence: a voice that stays a line, and a page without a word. */
import { Accent, Drawing, Voice } from "./drawing";

export function Silence({ className }: { className?: string | undefined }) {
  return (
    <Drawing className={className}>
      <Voice x={18} y={56} heights={[2, 3, 2, 4, 2, 6, 2, 3, 2, 2, 3, 2]} />
      <path d="M118 12h46l16 16v72h-62z" />
      <path d="M164 12v16h16" />
      <Accent>
        <path d="M136 56h26" strokeDasharray="1 7" />
      </Accent>
    </Drawing>
  );
}
