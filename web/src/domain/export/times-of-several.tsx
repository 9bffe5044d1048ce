/** Whether files of several transcriptions contain times: each has its own settings. */
import { useTranslation } from "react-i18next";
import { CONTROL, Field } from "@/components/field";
import { cx } from "@/lib/class-names";

const CHOICES = ["asked", "with", "without"] as const;

interface ManyTimesProps {
  /** Null: as in each one's settings. */
  value: boolean | null;
  onChange: (value: boolean | null) => void;
}

export function TimesOfSeveral({ value, onChange }: ManyTimesProps) {
  const { t } = useTranslation("sharing");
  return (
    <Field label={t("export.times.label")}>
      {(wiring) => (
        <select
          {...wiring}
          className={cx(CONTROL, "sm:max-w-72")}
          value={value === null ? "asked" : value ? "with" : "without"}
          onChange={({ currentTarget }) => onChange(currentTarget.value === "asked" ? null : currentTarget.value === "with")}
        >
          {CHOICES.map((choice) => (
            <option key={choice} value={choice}>
              {t(`export.times.${choice}`)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
