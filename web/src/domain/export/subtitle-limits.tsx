/** Asks for the limits of subtitles: a style guide or custom numbers, and properties of the video. */
import { useTranslation } from "react-i18next";
import { CONTROL, Field, TextInput } from "@/components/field";
import { cx } from "@/lib/class-names";
import {
  FIGURES,
  type Figure,
  GUIDES,
  type Guide,
  guideFigures,
  type SubtitleChoice,
  VIDEO_FIGURES,
  wrongFigures,
} from "./subtitle-choice";

interface SubtitleLimitsProps {
  value: SubtitleChoice;
  onChange: (value: SubtitleChoice) => void;
}

export function SubtitleLimits({ value, onChange }: SubtitleLimitsProps) {
  const { t } = useTranslation(["sharing", "rules"]);
  const hint = useGuideHint();
  const wrong = wrongFigures(value);
  const visibleFigures: readonly Figure[] = value.guide === "own" ? [...FIGURES, ...VIDEO_FIGURES] : VIDEO_FIGURES;
  return (
    <div className="flex flex-col gap-3">
      <Field label={t("sharing:export.subtitles.label")} hint={hint(value.guide)}>
        {(wiring) => (
          <select
            {...wiring}
            className={cx(CONTROL, "sm:max-w-96")}
            value={value.guide}
            onChange={({ currentTarget }) => onChange({ ...value, guide: currentTarget.value as Guide })}
          >
            {GUIDES.map((guide) => (
              <option key={guide} value={guide}>
                {t(`sharing:export.subtitles.guides.${guide}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div className="grid gap-3 sm:grid-cols-2">
        {visibleFigures.map((figure) => {
          const error = wrong.get(figure);
          return (
            <Field
              key={figure}
              label={t(`sharing:export.subtitles.figures.${figure}`)}
              error={error && t("rules:violations.figure_out_of_range", error.params)}
            >
              {(wiring) => (
                <TextInput
                  {...wiring}
                  inputMode="decimal"
                  autoComplete="off"
                  maxLength={12}
                  value={value.figures[figure]}
                  onChange={({ currentTarget }) =>
                    onChange({ ...value, figures: { ...value.figures, [figure]: currentTarget.value } })
                  }
                />
              )}
            </Field>
          );
        })}
      </div>
    </div>
  );
}

/** What a guide says, in a sentence. */
function useGuideHint(): (guide: Guide) => string {
  const { t } = useTranslation("sharing");
  return (guide) => {
    if (guide === "own") return t("export.subtitles.hints.own");
    const { columns, speed, english, ...seconds } = guideFigures(guide);
    const figures = {
      columns: t("export.subtitles.hints.columns", { count: columns }),
      speed: t("export.subtitles.hints.speed", { count: speed }),
      ...seconds,
    };
    if (english === null) return t("export.subtitles.hints.limits", figures);
    return t("export.subtitles.hints.limitsWithEnglish", { ...figures, english });
  };
}
