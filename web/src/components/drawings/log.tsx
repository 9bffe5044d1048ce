/** An empty log: a ruled book and a clock that has just begun. */
import { Accent, Drawing } from "./drawing";

export function EmptyLog({ className }: { className?: string | undefined }) {
  return (
    <Drawing className={className}>
      <path d="M100 26c-12-10-32-12-64-10v76c32-2 52 0 64 10 12-10 32-12 64-10V62" />
      <path d="M100 26v76" />
      <path
        d="M50 36c12 0 24 1 34 4M50 54c12 0 24 1 34 4M50 72c12 0 24 1 34 4M116 60c6-2 12-3 18-4M116 78c10-3 22-4 34-4"
        strokeDasharray="1 7"
      />
      <Accent>
        <circle cx="154" cy="34" r="22" />
        <path d="M154 22v12l8 6" />
      </Accent>
    </Drawing>
  );
}
