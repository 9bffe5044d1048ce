/** The heading of a part of the dashboard, with optional content beside it. */
import type { ReactNode } from "react";

interface SectionHeadProps {
  id: string;
  title: string;
  children?: ReactNode;
}

export function SectionHead({ id, title, children }: SectionHeadProps) {
  return (
    <div className="flex items-baseline gap-4 border-b-2 border-ink pb-2">
      <h2 id={id} className="headline text-[1.375rem]">
        {title}
      </h2>
      {children}
    </div>
  );
}
