/** Requests a part that does not exist, or repeats one with other options: words, labels, prompt, language. */
import { Sparkles } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import type { Analysis, AskForm as AnalysisRequest, Part, TranslationTarget } from "@/api/analysis";
import { Button } from "@/components/button";
import { ChipsInput } from "@/components/chips-input";
import { CONTROL, Field } from "@/components/field";
import { isNotInPlan, NotInPlan } from "@/components/not-in-plan";
import { useViolationText } from "@/hooks/use-violation-text";
import { cx } from "@/lib/class-names";
import { limits } from "@/rules";
import { useAnalysis } from "./analysis-context";

/** For a summary that was not requested yet. */
const USUAL_WORDS = 150;

interface AskFormProps {
  part: Part;
  target?: string;
  /** A result that is to be repeated with other options. */
  like?: Analysis;
  onAsked?: () => void;
  /** Without it the form cannot be closed. */
  onClose?: () => void;
}

export function AskForm({ part, target = "", like, onAsked, onClose }: AskFormProps) {
  const { t } = useTranslation("analysis");
  const { ask, workspace } = useAnalysis();
  const { settings } = workspace.job;
  const violationText = useViolationText();
  const [words, setWords] = useState(String(like?.params.words ?? (settings.summarize || USUAL_WORDS)));
  const [labels, setLabels] = useState<readonly string[]>(like?.params.labels ?? settings.classification_labels ?? []);
  const [prompt, setPrompt] = useState(like?.params.prompt ?? settings.custom_prompt ?? "");
  const [error, setError] = useState<string>();
  const [notInPlan, setNotInPlan] = useState(false);
  const [busy, setBusy] = useState(false);

  const lackOf = (): string | undefined => {
    if (part === "classification" && labels.length === 0) return t("ask.needsLabels");
    if (part === "prompt" && prompt.trim() === "") return t("ask.needsPrompt");
    const count = Number(words);
    const max = limits().max_summarize;
    const odd = part === "summary" && !(Number.isInteger(count) && count >= 1 && count <= max);
    return odd ? violationText({ field: "summarize", code: "summarize_out_of_range", params: { max } }) : undefined;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const lack = lackOf();
    setError(lack);
    if (lack !== undefined) return;
    setBusy(true);
    ask(requestOf())
      .then(
        () => {
          onAsked?.();
          onClose?.();
        },
        (failure: unknown) => {
          const violations = failure instanceof ApiError ? failure.violations : [];
          const [violation] = violations;
          setNotInPlan(isNotInPlan(violations));
          if (violation && !isNotInPlan(violations)) setError(violationText(violation));
        },
      )
      .finally(() => setBusy(false));
  };
  const requestOf = (): AnalysisRequest => ({
    part,
    ...(target !== "" && { target: target as TranslationTarget }),
    ...(part === "summary" && { words: Number(words) }),
    ...(part === "classification" && { labels: [...labels] }),
    ...(part === "prompt" && { prompt }),
  });

  return (
    <form
      noValidate
      onSubmit={submit}
      className={cx("mt-2 flex max-w-[40rem] flex-col items-start gap-3", like && "rounded bg-paper-sunk p-4")}
    >
      {part === "summary" && (
        <Field label={t("ask.words")} error={error}>
          {(wiring) => (
            <input
              {...wiring}
              type="number"
              inputMode="numeric"
              min={1}
              max={limits().max_summarize}
              value={words}
              onChange={(event) => setWords(event.target.value)}
              className={cx(CONTROL, "figures max-w-28")}
            />
          )}
        </Field>
      )}
      {part === "classification" && (
        <Field label={t("ask.labels")} hint={t("ask.labelsHint")} error={error} className="w-full">
          {(wiring) => (
            <ChipsInput
              {...wiring}
              entries={labels}
              onChange={setLabels}
              removeLabel={(entry) => t("ask.removeLabel", { entry })}
            />
          )}
        </Field>
      )}
      {part === "prompt" && (
        <Field label={t("ask.promptLabel")} error={error} className="w-full">
          {(wiring) => (
            <textarea
              {...wiring}
              rows={3}
              maxLength={limits().max_custom_prompt}
              placeholder={t("ask.promptPlaceholder")}
              value={prompt}
              onChange={(event) => setPrompt(event.target.value)}
              className={cx(CONTROL, "h-auto resize-y py-2")}
            />
          )}
        </Field>
      )}
      <div role="status">{notInPlan && <NotInPlan className="text-[0.9375rem] text-warn" />}</div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" busy={busy}>
          <Sparkles aria-hidden="true" />
          {t(`ask.${part}`)}
        </Button>
        {onClose && (
          <Button look="quiet" size="small" onClick={onClose}>
            {t("result.cancel")}
          </Button>
        )}
      </div>
    </form>
  );
}
