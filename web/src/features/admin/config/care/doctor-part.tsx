/** A check of everything that the server needs. */
import { CircleAlert, CircleCheck, Stethoscope, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type DoctorFinding, type DoctorReport, useExamination } from "@/api/admin-care";
import { Button } from "@/components/button";
import { TextWithCode } from "@/components/text-with-code";
import { useErrorText } from "@/hooks/use-error-text";
import { cx } from "@/lib/class-names";
import { ConfigCard, ResultPanel } from "../config-card";

const SIGNS = { ok: CircleCheck, warning: TriangleAlert, fault: CircleAlert } as const;
const COLOURS = { ok: "text-good", warning: "text-warn", fault: "text-bad" } as const;
/** The worst first. */
const RANKS = { fault: 0, warning: 1, ok: 2 } as const;

export function DoctorPart() {
  const { t } = useTranslation("admin-care");
  const errorText = useErrorText();
  const examination = useExamination();
  return (
    <ConfigCard title={t("doctor.title")} text={t("doctor.text").replaceAll("`", "")}>
      <div>
        <Button busy={examination.isPending} onClick={() => examination.mutate()}>
          <Stethoscope aria-hidden="true" />
          {t("doctor.start")}
        </Button>
      </div>
      <div role="status" className="empty:hidden">
        {examination.error && <ResultPanel good={false} title={`${t("doctor.failed")}. ${errorText(examination.error)}`} />}
        {examination.data && <Summary report={examination.data} />}
      </div>
      {examination.data && <Findings report={examination.data} />}
    </ConfigCard>
  );
}

function Summary({ report: { findings } }: { report: DoctorReport }) {
  const { t } = useTranslation("admin-care");
  const count = (state: DoctorFinding["state"]) => findings.filter((finding) => finding.state === state).length;
  const [faults, warnings] = [count("fault"), count("warning")];
  const parts = [
    ...(faults > 0 ? [t("doctor.faults", { count: faults })] : []),
    ...(warnings > 0 ? [t("doctor.warnings", { count: warnings })] : []),
  ];
  return <ResultPanel good={faults === 0} title={parts.length === 0 ? t("doctor.good") : parts.join(", ")} />;
}

function Findings({ report: { findings } }: { report: DoctorReport }) {
  const { t, i18n } = useTranslation("admin-care");
  const ordered = [...findings].sort((one, other) => RANKS[one.state] - RANKS[other.state]);
  const nameOf = (check: string) =>
    i18n.exists(`admin-care:doctor.checks.${check}`) ? t(`doctor.checks.${check}` as "doctor.checks.disk") : check;
  return (
    <ul className="flex flex-col">
      {ordered.map(({ check, state, message, remedy }, index) => {
        const Sign = SIGNS[state];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is never changed, only replaced
          <li key={`${check}-${index}`} className="flex items-start gap-2.5 border-b border-rule py-2.5 last:border-0">
            <Sign aria-hidden="true" className={cx("mt-0.5 size-4.5 shrink-0", COLOURS[state])} />
            <div className="min-w-0">
              <p className="font-strong">
                {nameOf(check)} <span className="sr-only">({t(`doctor.states.${state}`)})</span>
              </p>
              <p lang="en" className="text-sm text-ink-soft wrap-anywhere">
                {message}
              </p>
              {remedy && (
                <p className="mt-1 text-sm">
                  {t("doctor.remedy")}{" "}
                  <span lang="en" className="font-mono wrap-anywhere">
                    <TextWithCode text={remedy} />
                  </span>
                </p>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
