/** Translations, one language at a time; others can be requested. */
import { Languages } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Part } from "@/api/analysis";
import { Button } from "@/components/button";
import { CONTROL } from "@/components/field";
import { cx } from "@/lib/class-names";
import { type TranslationTarget, translationTargets } from "@/rules";
import { useForeign } from "../foreign";
import { useAnalysis } from "./analysis-context";
import { targetsOf } from "./model";
import { PartBody } from "./part-body";
import { Section } from "./part-section";
import { CuesView, SegmentsView } from "./translation-view";

interface TranslationSectionProps {
  part: Extract<Part, "translation" | "subtitle_translation">;
}

export function TranslationSection({ part }: TranslationSectionProps) {
  const { t } = useTranslation(["analysis", "rules"]);
  const { view } = useAnalysis();
  const foreign = useForeign();
  const targets = targetsOf(view, part);
  const [chosen, setChosen] = useState<string | null>(null);
  const target = chosen !== null && targets.includes(chosen) ? chosen : targets[0];
  const nameOf = (name: string) => t(`rules:translation_target.${name as TranslationTarget}`, { defaultValue: name });
  const available = view.available.find((entry) => entry.part === part);
  const title = t(`analysis:parts.${part}`);
  return (
    <Section
      title={title}
      testId={part}
      aside={
        targets.length === 1 ? (
          <p className="text-sm text-ink-soft">{nameOf(targets[0] ?? "")}</p>
        ) : (
          targets.length > 1 && (
            <fieldset className="flex flex-wrap gap-1.5">
              <legend className="sr-only">{t("analysis:translation.languages", { part: title })}</legend>
              {targets.map((language) => (
                <button
                  key={language}
                  type="button"
                  aria-pressed={language === target}
                  onClick={() => setChosen(language)}
                  className="h-8 rounded border border-edge bg-paper-raised px-2.5 text-sm aria-pressed:border-accent aria-pressed:bg-accent-wash pointer-coarse:h-11"
                >
                  {nameOf(language)}
                </button>
              ))}
            </fieldset>
          )
        )
      }
    >
      {target !== undefined &&
        (part === "translation" ? (
          <PartBody key={target} part="translation" target={target}>
            {({ segments }) => <SegmentsView segments={segments} target={target} />}
          </PartBody>
        ) : (
          <PartBody key={target} part="subtitle_translation" target={target}>
            {({ cues }) => <CuesView cues={cues} target={target} />}
          </PartBody>
        ))}
      {available?.engine ? (
        <AskTarget part={part} taken={targets} nameOf={nameOf} onAsked={setChosen} />
      ) : (
        target === undefined && (
          <p className="mt-1 max-w-[65ch] text-ink-soft">
            {foreign ? t("analysis:lacks.notAsked") : t(`analysis:lacks.${available?.reason ?? "other"}`)}
          </p>
        )
      )}
    </Section>
  );
}

interface AskTargetProps extends TranslationSectionProps {
  taken: readonly string[];
  nameOf: (target: string) => string;
  onAsked: (target: string) => void;
}

function AskTarget({ part, taken, nameOf, onAsked }: AskTargetProps) {
  const { t } = useTranslation("analysis");
  const { ask } = useAnalysis();
  const free = translationTargets().filter((language) => !taken.includes(language));
  const [requested, setRequested] = useState("");
  const [busy, setBusy] = useState(false);
  const target = free.find((language) => language === requested) ?? free[0];
  if (target === undefined) {
    return null;
  }
  const start = () => {
    setBusy(true);
    ask({ part, target })
      .then(
        () => onAsked(target),
        () => undefined,
      )
      .finally(() => setBusy(false));
  };
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      {taken.length > 0 && <span className="text-sm text-ink-faint">{t("ask.another")}</span>}
      <select
        aria-label={t("ask.target")}
        value={target}
        onChange={(event) => setRequested(event.target.value)}
        className={cx(CONTROL, "h-8 max-w-48 text-sm pointer-coarse:h-11")}
      >
        {free.map((language) => (
          <option key={language} value={language}>
            {nameOf(language)}
          </option>
        ))}
      </select>
      <Button size="small" busy={busy} onClick={start}>
        <Languages aria-hidden="true" />
        {t(`ask.${part}`)}
      </Button>
    </div>
  );
}
