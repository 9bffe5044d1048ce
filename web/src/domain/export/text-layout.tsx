/** Layout of the text in a file: paragraphs, questions and answers, numbered lines, or a table. */
import { useTranslation } from "react-i18next";
import type { ExportLayout } from "@/api/exports";
import { CONTROL, Field } from "@/components/field";
import { type NamedSpeaker, speakerName } from "@/domain/transcript/speakers";
import { cx } from "@/lib/class-names";

interface TextLayoutProps {
  /** The layouts that the format supports. */
  offered: readonly ExportLayout[];
  value: ExportLayout;
  onChange: (value: ExportLayout) => void;
}

export function TextLayout({ offered, value, onChange }: TextLayoutProps) {
  const { t } = useTranslation("sharing");
  return (
    <Field label={t("export.layout.label")} hint={t(`export.layout.hints.${value}`)}>
      {(wiring) => (
        <select
          {...wiring}
          className={cx(CONTROL, "sm:max-w-96")}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value as ExportLayout)}
        >
          {offered.map((layout) => (
            <option key={layout} value={layout}>
              {t(`export.layout.names.${layout}`)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface WhoAsksProps {
  speakers: readonly NamedSpeaker[];
  /** Null: determined automatically. */
  value: string | null;
  onChange: (value: string | null) => void;
}

export function InterviewerSelect({ speakers, value, onChange }: WhoAsksProps) {
  const { t } = useTranslation("sharing");
  return (
    <Field label={t("export.asks.label")} hint={value === null ? t("export.asks.hint") : undefined}>
      {(wiring) => (
        <select
          {...wiring}
          className={cx(CONTROL, "sm:max-w-96")}
          value={value ?? ""}
          onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
        >
          <option value="">{t("export.asks.found")}</option>
          {speakers.map((speaker) => (
            <option key={speaker.id} value={speaker.id}>
              {speakerName(speaker)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
