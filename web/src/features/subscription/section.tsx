/** A section of the page with its heading. */
import { type ReactNode, useId } from "react";
import { cx } from "@/lib/class-names";

interface SectionProps {
  title: string;
  /** Target of links. */
  id?: string;
  /** Beside the heading. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

export function Section({ title, id, aside, className, children }: SectionProps) {
  const heading = useId();
  return (
    <section
      id={id}
      aria-labelledby={heading}
      className={cx("flex min-w-0 scroll-mt-[calc(var(--header-height)+1rem)] flex-col gap-4", className)}
    >
      <div className="flex flex-wrap items-end gap-x-4 gap-y-1 border-b-2 border-ink pb-2">
        <h2 id={heading} className="headline text-[1.375rem]">
          {title}
        </h2>
        {aside && <div className="ml-auto">{aside}</div>}
      </div>
      {children}
    </section>
  );
}
