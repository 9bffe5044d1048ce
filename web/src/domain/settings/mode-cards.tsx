/** Full or Lite, with the features of each. */
import { Check, Minus } from "lucide-react";
import { RadioGroup as Radix } from "radix-ui";
import { useTranslation } from "react-i18next";
import type { TranscriptionType } from "@/api";
import { available, offeredLanguages } from "@/rules";
import { TRANSCRIPTION_TYPES } from "@/rules/constants";
import { useFields } from "./fields-context";

export function ModeCards() {
  const { t } = useTranslation("configure");
  const { settings, chooseMode } = useFields();
  return (
    <fieldset>
      <legend className="mb-1.5 text-[0.9375rem] font-strong">{t("mode.label")}</legend>
      <Radix.Root
        value={settings.transcription_type}
        onValueChange={(mode) => chooseMode(mode as TranscriptionType)}
        aria-label={t("mode.label")}
        className="grid gap-3 @md:grid-cols-2"
      >
        {TRANSCRIPTION_TYPES.map((mode) => (
          <ModeCard key={mode} mode={mode} />
        ))}
      </Radix.Root>
    </fieldset>
  );
}

function ModeCard({ mode }: { mode: TranscriptionType }) {
  const { t } = useTranslation("configure");
  const languages = offeredLanguages(mode).length;
  const analysis = available("summarization", mode, "en") === "available";
  return (
    <Radix.Item
      value={mode}
      aria-labelledby={`mode-${mode}-name`}
      aria-describedby={`mode-${mode}-gives`}
      className="group flex flex-col rounded-lg border border-edge bg-paper-raised px-4 py-3 text-left transition-colors hover:border-ink-faint data-[state=checked]:border-accent data-[state=checked]:shadow-[inset_0_0_0_1px_var(--accent)]"
    >
      <span className="flex items-center gap-2.5">
        <span
          aria-hidden="true"
          className="flex size-4 items-center justify-center rounded-full border border-edge group-data-[state=checked]:border-accent"
        >
          <Radix.Indicator className="size-2 rounded-full bg-accent" />
        </span>
        <span id={`mode-${mode}-name`} className="headline text-lg">
          {t(`mode.${mode}.name`)}
        </span>
        <span className="kicker ml-auto">{t(`mode.${mode}.badge`)}</span>
      </span>
      <span id={`mode-${mode}-gives`} className="mt-1.5 flex flex-col gap-0.5 text-sm">
        <span className="text-ink-soft">{t(`mode.${mode}.summary`)}</span>
        <ModeFeature yes={mode === "full"}>
          {mode === "full" ? t("mode.full.languages", { count: languages }) : t("mode.lite.languages")}
        </ModeFeature>
        <ModeFeature yes={analysis}>{analysis ? t("mode.analysis") : t("mode.noAnalysis")}</ModeFeature>
      </span>
    </Radix.Item>
  );
}

function ModeFeature({ yes, children }: { yes: boolean; children: string }) {
  const Sign = yes ? Check : Minus;
  return (
    <span className="flex items-start gap-2">
      <Sign aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${yes ? "text-good" : "text-ink-faint"}`} />
      {children}
    </span>
  );
}
