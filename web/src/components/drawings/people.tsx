/** No people: one speaks, and the other is not there. */
import { Accent, Drawing, Words } from "./drawing";

export function NoPeople({ className }: { className?: string | undefined }) {
  return (
    <Drawing className={className}>
      <circle cx="48" cy="52" r="15" />
      <path d="M20 100c2-18 13-26 28-26s26 8 28 26" />
      <circle cx="152" cy="52" r="15" strokeDasharray="5 6" />
      <path d="M124 100c2-18 13-26 28-26s26 8 28 26" strokeDasharray="5 6" />
      <Accent>
        <path d="M74 16h50a5 5 0 0 1 5 5v18a5 5 0 0 1-5 5H90l-10 9v-9h-6a5 5 0 0 1-5-5V21a5 5 0 0 1 5-5z" />
        <Words x={82} y={30} widths={[12, 18]} />
      </Accent>
    </Drawing>
  );
}
