/** The states of one part, or of one language of it. */
import { CircleAlert, Hourglass, RotateCw, SlidersHorizontal } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Analysis, AvailablePart, Outcome, Part } from "@/api/analysis";
import { Button } from "@/components/button";
import { IconButton } from "@/components/icon-button";
import { ProgressLine } from "@/components/progress-line";
import { useLocale } from "@/hooks/use-locale";
import { formatPercent, formatSpan } from "@/lib/format";
import { useForeign } from "../foreign";
import { useAnalysis } from "./analysis-context";
import { AskForm } from "./ask-form";
import { HeldAnalysis } from "./held-analysis";
import { outcomeOf, type PartState, repeatedRequest, stateOf } from "./model";
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
  const selected = state.done.find(({ id }) => id === chosen) ?? state.done[0] ?? null;
  const outcome = selected && outcomeOf(selected, part);
  const available = view.available.find((entry) => entry.part === part);
  const can = available?.engine != null;
  return (
    <>
      {state.running ? (
        <Running analysis={state.running} />
      ) : (
        state.failed && (
          <Failed analysis={state.failed} can={can} {...(hasOptions(part) && !selected && { onChange: () => setAsking(true) })} />
        )
      )}
      {state.held && !state.running && <HeldAnalysis analysis={state.held} can={can} />}
      {asking && can && state.failed && !selected && <AskForm part={part} like={state.failed} onClose={() => setAsking(false)} />}
      {selected && outcome && (
        <>
          <ResultBar
            shown={selected}
            all={state.done}
            onChoose={setChosen}
            can={can && state.running === null}
            again={state.failed === null}
            {...(hasOptions(part) && { onChange: () => setAsking(true) })}
          />
          {asking && can && (
            <AskForm part={part} like={selected} onClose={() => setAsking(false)} onAsked={() => setChosen(null)} />
          )}
          <div className="mt-3">{children(outcome, selected)}</div>
        </>
      )}
      {isBare(state) && (can ? <AskForm part={part} target={target} /> : <Unavailable available={available} />)}
    </>
  );
}

const isBare = ({ running, failed, held, done }: PartState) => !running && !failed && !held && done.length === 0;

/** Parts that have options. */
const hasOptions = (part: Part) => part === "summary" || part === "classification" || part === "prompt";

function Running({ analysis }: { analysis: Analysis }) {
  const { t } = useTranslation(["analysis", "transcript"]);
  const locale = useLocale();
  const secondsLeft = analysis.seconds_left;
  const waiting = analysis.status === "waiting";
  if (waiting) {
    return (
      <p className="mt-2 mb-3 flex items-center gap-2 text-sm text-ink-soft last:mb-0">
        <Hourglass aria-hidden="true" className="size-4 shrink-0" />
        {t("result.waiting")}
      </p>
    );
  }
  return (
    <div className="mt-2 mb-3 max-w-md last:mb-0">
      <p className="flex items-baseline justify-between gap-4 text-sm">
        <span>{t("result.running")}</span>
        <span className="text-voice-ink">
          <span className="figures">{formatPercent(analysis.percent, locale)}</span>
          {secondsLeft != null && ` · ${t("transcript:live.left", { time: formatSpan(Math.max(1, secondsLeft), locale) })}`}
        </span>
      </p>
      <ProgressLine label={t(`parts.${analysis.part}`)} percent={analysis.percent} className="mt-1.5 bg-rule" />
    </div>
  );
}

interface FailedProps {
  analysis: Analysis;
  can: boolean;
  /** Opens the form for other options, if there is no result that has this action. */
  onChange?: () => void;
}

function Failed({ analysis, can, onChange }: FailedProps) {
  const { t } = useTranslation("analysis");
  const failureText = useFailureText();
  const { ask } = useAnalysis();
  const part = t(`parts.${analysis.part}`);
  const [busy, setBusy] = useState(false);
  const repeat = () => {
    setBusy(true);
    ask(repeatedRequest(analysis))
      .catch(() => undefined)
      .finally(() => setBusy(false));
  };
  return (
    <div
      role="alert"
      className="mt-2 mb-3 flex max-w-[70ch] flex-wrap items-center gap-x-4 gap-y-2 rounded bg-bad-wash px-3.5 py-2.5 last:mb-0"
    >
      <p className="flex min-w-0 flex-1 basis-64 items-start gap-2 text-[0.9375rem] text-bad">
        <CircleAlert aria-hidden="true" className="mt-0.5 size-4.5 shrink-0" />
        <span>
          <span className="font-strong">{t("result.failed")}. </span>
          {failureText(analysis.error ?? "")}
        </span>
      </p>
      {can && (
        <span className="flex items-center gap-1">
          <Button size="small" busy={busy} onClick={repeat} aria-label={t("result.againOf", { part })}>
            <RotateCw aria-hidden="true" />
            {t("result.again")}
          </Button>
          {onChange && (
            <IconButton label={t("result.changeOf", { part })} className="size-8 pointer-coarse:size-11" onClick={onChange}>
              <SlidersHorizontal aria-hidden="true" />
            </IconButton>
          )}
        </span>
      )}
    </div>
  );
}

function Unavailable({ available }: { available: AvailablePart | undefined }) {
  const { t } = useTranslation("analysis");
  const foreign = useForeign();
  const text = foreign ? t("lacks.notAsked") : t(`lacks.${available?.reason ?? "other"}`);
  return <p className="mt-1 max-w-[65ch] text-ink-soft">{text}</p>;
}
