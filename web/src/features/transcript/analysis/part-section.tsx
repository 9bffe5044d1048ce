/** One part in all its states: not requested, running, failed, with one result or several. */
import type { ReactNode } from "react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Analysis, Outcome, Part } from "@/api/analysis";
import { PartBody } from "./part-body";

interface PartSectionProps<P extends Part> {
  part: P;
  children: (outcome: Extract<Outcome, { part: P }>, analysis: Analysis) => ReactNode;
}

export function PartSection<P extends Part>({ part, children }: PartSectionProps<P>) {
  const { t } = useTranslation("analysis");
  const name: Part = part;
  return (
    <Section title={t(`parts.${name}`)} testId={part}>
      <PartBody part={part}>{children}</PartBody>
    </Section>
  );
}

interface SectionProps {
  title: string;
  testId: string;
  /** Beside the title. */
  aside?: ReactNode;
  children: ReactNode;
}

export function Section({ title, testId, aside, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} data-testid={`part-${testId}`} className="min-w-0 border-t border-rule pt-5">
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
        <h4 id={id} className="headline text-xl">
          {title}
        </h4>
        {aside}
      </div>
      {children}
    </section>
  );
}
