/** Placeholder for a text that is loading, in its final shape. */
import { cx } from "@/lib/class-names";

export function Skeleton({ className }: { className?: string }) {
  return (
    <span aria-hidden="true" className={cx("block animate-[ink-in_1.6s_ease-in-out_infinite] rounded-sm bg-rule", className)} />
  );
}
