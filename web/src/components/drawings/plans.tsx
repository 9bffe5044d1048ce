/** No plans: a price tag without a price. */
import { Accent, Drawing } from "./drawing";

export function NoPlans({ className }: { className?: string | undefined }) {
  return (
    <Drawing className={className}>
      <path d="M54 20h56a8 8 0 0 1 6 2l50 30a6 6 0 0 1 0 10l-50 30a8 8 0 0 1-6 2H54a6 6 0 0 1-6-6V26a6 6 0 0 1 6-6z" />
      <circle cx="142" cy="57" r="6" />
      <path d="M148 57c16-2 22-14 36-12" />
      <Accent>
        <path d="M82 44v26M69 57h26" />
      </Accent>
    </Drawing>
  );
}
