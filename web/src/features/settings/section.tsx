/** A section of a tab: title and description, and its controls beside or below them. */
import { type ReactNode, type Ref, useId } from "react";
import { cx } from "@/lib/class-names";

interface SectionProps {
  title: string;
  text?: ReactNode;
  /** Gets the focus when the focused element disappears. */
  headingRef?: Ref<HTMLHeadingElement>;
  danger?: boolean;
  children: ReactNode;
}

export function Section({ title, text, headingRef, danger = false, children }: SectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-10 gap-y-4 border-b border-rule py-7 last:border-b-0 md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]"
    >
      <div>
        <h2 id={id} ref={headingRef} tabIndex={-1} className={cx("headline text-lg", danger && "text-bad")}>
          {title}
        </h2>
        {text && <p className="mt-1.5 max-w-[44ch] text-sm text-ink-soft">{text}</p>}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}
