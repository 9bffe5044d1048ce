/** Full or Lite, with what each gives. */
import { Check, Minus } from "lucide-react";
import { RadioGroup as Radix } from "radix-ui";
import { useTranslation } from "react-i18next";
import type { TranscriptionType } from "@/api";
import { available, offeredLanguages } from "@/rules";

const MODES: readonly TranscriptionType[] = ["full", "lite"];

interface ModeCardsProps {
  value: TranscriptionType;
  onChange: (mode: TranscriptionType) => void;
}

export function ModeCards({ value, onChange }: ModeCardsProps) {
  const { t } = useTranslation("configure");
  return (
    <fieldset>
      <legend className="mb-1.5 text-[0.9375rem] font-strong">{t("mode.label")}</legend>
      <Radix.Root
        value={value}
        onValueChange={(mode) => onChange(mode as TranscriptionType)}
        aria-label={t("mode.label")}
        className="grid gap-3 sm:grid-cols-2"
      >
        {MODES.map((mode) => (
          <ModeCard key={mode} mode={mode} />
        ))}
      </Radix.Root>
    </fieldset>
  );
}

function ModeCard({ mode }: { mode: TranscriptionType }) {
  const { t } = useTranslation("configure");
  const languages = offeredLanguages(mode).length;
  const timestamps = available("timestamps", mode, mode === "lite" ? "en" : "uk") === "available";
  return (
    <Radix.Item
      value={mode}
      aria-labelledby={`mode-${mode}-name`}
      aria-describedby={`mode-${mode}-gives`}
      className="group flex flex-col rounded-lg border border-edge bg-paper-raised p-4 text-left transition-colors hover:border-ink-faint data-[state=checked]:border-accent data-[state=checked]:shadow-[inset_0_0_0_1px_var(--accent)]"
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
      <span id={`mode-${mode}-gives`} className="mt-2 flex flex-col gap-1 text-sm">
        <span className="text-ink-soft">{t(`mode.${mode}.summary`)}</span>
        <Gives yes={mode === "full"}>
          {mode === "full" ? t("mode.full.languages", { count: languages }) : t("mode.lite.languages")}
        </Gives>
        <Gives yes={timestamps}>{t("mode.timestamps")}</Gives>
        <Gives yes>{t("mode.vocabulary")}</Gives>
      </span>
    </Radix.Item>
  );
}

function Gives({ yes, children }: { yes: boolean; children: string }) {
  const Sign = yes ? Check : Minus;
  return (
    <span className="flex items-start gap-2">
      <Sign aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${yes ? "text-good" : "text-ink-faint"}`} />
      {children}
    </span>
  );
}
