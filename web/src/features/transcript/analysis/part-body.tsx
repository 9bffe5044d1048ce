/** The states of one part, or of one language of it. */
import { CircleAlert, RotateCw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Analysis, AvailablePart, Outcome, Part } from "@/api/analysis";
import { Button } from "@/components/button";
import { useLocale } from "@/hooks/use-locale";
import { formatPercent, formatSpan } from "@/lib/format";
import { useAnalysis } from "./analysis-context";
import { AskForm } from "./ask-form";
import { outcomeOf, type PartState, sameAgain, stateOf } from "./model";
import { ResultBar } from "./result-bar";
import { useFailureText } from "./use-failure-text";

interface PartBodyProps<P extends Part> {
  part: P;
  /** Of a translation. */
  target?: string;
  children: (outcome: Extract<Outcome, { part: P }>, analysis: Analysis) => ReactNode;
}

export function PartBody<P extends Part>({ part, target = "", children }: PartBodyProps<P>) {
  const { view } = useAnalysis();
  const state = stateOf(view, part, target);
  const [chosen, setChosen] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const shown = state.done.find(({ id }) => id === chosen) ?? state.done[0] ?? null;
  const outcome = shown && outcomeOf(shown, part);
  const available = view.available.find((one) => one.part === part);
  const can = available?.engine != null;
  return (
    <>
      {state.running ? <Running analysis={state.running} /> : state.failed && <Failed analysis={state.failed} can={can} />}
      {shown && outcome && (
        <>
          <ResultBar
            shown={shown}
            all={state.done}
            onChoose={setChosen}
            can={can && state.running === null}
            {...(hasWishes(part) && { onChange: () => setAsking(true) })}
          />
          {asking && can && <AskForm part={part} like={shown} onClose={() => setAsking(false)} onAsked={() => setChosen(null)} />}
          <div className="mt-3">{children(outcome, shown)}</div>
        </>
      )}
      {isBare(state) && (can ? <AskForm part={part} target={target} /> : <NotHere available={available} />)}
    </>
  );
}

const isBare = ({ running, failed, done }: PartState) => !running && !failed && done.length === 0;

/** Parts that can be asked for in more than one way. */
const hasWishes = (part: Part) => part === "summary" || part === "classification" || part === "prompt";

function Running({ analysis }: { analysis: Analysis }) {
  const { t } = useTranslation(["analysis", "transcript"]);
  const locale = useLocale();
  const left = analysis.seconds_left;
  const waiting = analysis.status === "waiting";
  return (
    <div className="mt-2 max-w-md">
      <p className="flex items-baseline justify-between gap-4 text-sm">
        <span>{waiting ? t("result.waiting") : t("result.running")}</span>
        {!waiting && (
          <span className="figures text-voice-ink">
            {formatPercent(analysis.percent, locale)}
            {left != null && ` · ${t("transcript:live.left", { time: formatSpan(Math.max(1, left), locale) })}`}
          </span>
        )}
      </p>
      <div
        role="progressbar"
        aria-label={t(`parts.${analysis.part}`)}
        {...(!waiting && { "aria-valuenow": Math.round(analysis.percent) })}
        className="mt-1.5 h-1 overflow-hidden rounded-full bg-paper-sunk"
      >
        <div className="h-full rounded-full bg-voice" style={{ width: `${waiting ? 0 : analysis.percent}%` }} />
      </div>
    </div>
  );
}

function Failed({ analysis, can }: { analysis: Analysis; can: boolean }) {
  const { t } = useTranslation("analysis");
  const failureText = useFailureText();
  const { ask } = useAnalysis();
  const [busy, setBusy] = useState(false);
  const again = () => {
    setBusy(true);
    ask(sameAgain(analysis))
      .catch(() => undefined)
      .finally(() => setBusy(false));
  };
  return (
    <div role="alert" className="mt-2 flex max-w-[70ch] flex-wrap items-center gap-x-4 gap-y-2 rounded bg-bad-wash px-3.5 py-2.5">
      <p className="flex min-w-0 flex-1 basis-64 items-start gap-2 text-[0.9375rem] text-bad">
        <CircleAlert aria-hidden="true" className="mt-0.5 size-4.5 shrink-0" />
        <span>
          <span className="font-strong">{t("result.failed")}. </span>
          {failureText(analysis.error ?? "")}
        </span>
      </p>
      {can && (
        <Button size="small" busy={busy} onClick={again} aria-label={t("result.againOf", { part: t(`parts.${analysis.part}`) })}>
          <RotateCw aria-hidden="true" />
          {t("result.again")}
        </Button>
      )}
    </div>
  );
}

function NotHere({ available }: { available: AvailablePart | undefined }) {
  const { t } = useTranslation("analysis");
  return <p className="mt-1 max-w-[65ch] text-ink-soft">{t(`lacks.${available?.reason ?? "other"}`)}</p>;
}
