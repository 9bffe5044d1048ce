/** The mark: a voice that turns into lines of text. */
import { cx } from "@/lib/class-names";

/** The drawing alone. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 30 24" aria-hidden="true" className={cx("w-auto", className)} fill="currentColor">
      <g fill="var(--voice)">
        <rect x="0" y="8" width="2.6" height="8" rx="1.3" />
        <rect x="4.6" y="1" width="2.6" height="22" rx="1.3" />
        <rect x="9.2" y="5.5" width="2.6" height="13" rx="1.3" />
      </g>
      <rect x="15" y="3.6" width="15" height="2.8" rx="1.4" />
      <rect x="15" y="10.6" width="9.4" height="2.8" rx="1.4" />
      <rect x="15" y="17.6" width="12.6" height="2.8" rx="1.4" />
    </svg>
  );
}

/** Mark and name. The name is the product's in every language. */
export function NameMark({ className }: { className?: string }) {
  return (
    <span className={cx("inline-flex items-center gap-2.5 font-serif text-xl leading-none font-strong", className)}>
      <Mark className="h-[0.95em] translate-y-[0.04em]" />
      Slovo
    </span>
  );
}
