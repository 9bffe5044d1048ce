/** The setup as a checklist: done and remaining steps, why they matter, and links to them. */
import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, CircleDashed, RotateCw } from "lucide-react";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { countSetup, type Setup, type SetupState, STEPS, type Step, setupQuery } from "@/api/admin-setup";
import { Button } from "@/components/button";
import { useErrorText } from "@/hooks/use-error-text";
import { cx } from "@/lib/class-names";
import { CardState, ConfigCard, ResultPanel } from "./config-card";
import { stepLink } from "./sections";
import { Address, Analysis, Legal, Mail, Models } from "./setup-steps";

export function SetupCard() {
  const { t } = useTranslation("admin-setup");
  const errorText = useErrorText();
  const { data, error, refetch, isFetching } = useQuery(setupQuery());
  return (
    <ConfigCard title={t("title")} text={t("text")}>
      {data ? (
        <>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <p role="status" className="font-strong">
              {t("progress", { done: countSetup(data).done, all: STEPS.length })}
            </p>
            <Button busy={isFetching} onClick={() => void refetch()}>
              <RotateCw aria-hidden="true" />
              {t("recheck")}
            </Button>
          </div>
          {error && !isFetching && <ResultPanel good={false} title={errorText(error)} />}
          <ol className="flex flex-col divide-y divide-rule border-y border-rule">
            {STEPS.map((step) => (
              <StepRow key={step} step={step} setup={data} />
            ))}
          </ol>
        </>
      ) : (
        <CardState error={error} onRetry={() => void refetch()} rows={5} />
      )}
    </ConfigCard>
  );
}

const SIGNS = {
  done: { Sign: CircleCheck, tone: "text-good" },
  to_do: { Sign: CircleAlert, tone: "text-warn" },
  optional: { Sign: CircleDashed, tone: "text-ink-faint" },
} as const satisfies Record<SetupState, object>;

function StepRow({ step, setup }: { step: Step; setup: Setup }) {
  const { t } = useTranslation("admin-setup");
  const id = useId();
  const { state } = setup[step];
  const { Sign, tone } = SIGNS[state];
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 py-4">
      <Sign aria-hidden="true" className={cx("mt-0.5 size-5", tone)} />
      <div className="flex flex-col gap-1.5">
        <h3 id={id} className="flex flex-wrap items-baseline gap-x-3 font-strong">
          {t(`${step}.title`)} <span className={cx("text-sm", tone)}>{t(`state.${state}`)}</span>
        </h3>
        {statusOf(step, setup)}
        <p className="max-w-[64ch] text-sm text-ink-soft">{t(`${step}.why`)}</p>
        <Link
          id={`${id}-go`}
          aria-labelledby={`${id}-go ${id}`}
          to={stepLink(step, setup)}
          className="inline-flex min-h-8 items-center self-start text-accent underline underline-offset-4 hover:text-accent-strong"
        >
          {t(`${step}.go`)}
        </Link>
      </div>
    </li>
  );
}

/** Description of the current state. */
function statusOf(step: Step, setup: Setup): ReactNode {
  switch (step) {
    case "mail":
      return <Mail step={setup.mail} />;
    case "models":
      return <Models step={setup.models} />;
    case "analysis":
      return <Analysis step={setup.analysis} />;
    case "address":
      return <Address step={setup.address} />;
    case "legal":
      return <Legal step={setup.legal} />;
  }
}
