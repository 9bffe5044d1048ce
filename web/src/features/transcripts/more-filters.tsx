/** Filters besides search and status: mode, language, days, tag and folder. */
import { useTranslation } from "react-i18next";
import type { JobFilter } from "@/api/jobs";
import { LanguageOptionList } from "@/domain/settings/language-option-list";
import { TRANSCRIPTION_TYPES } from "@/rules/constants";
import { GroupFilters } from "./groups/group-filters";
import { Labelled } from "./labelled";
import type { FilterChange } from "./use-filter";

interface NarrowingProps {
  filter: JobFilter;
  onChange: (change: FilterChange) => void;
}

export function MoreFilters({ filter, onChange }: NarrowingProps) {
  const { t } = useTranslation("transcripts");
  return (
    <div className="grid w-full grid-cols-2 gap-3 sm:flex sm:w-auto sm:flex-wrap">
      <Labelled label={t("mode")} chosen={filter.mode}>
        {(wiring) => (
          <select {...wiring} value={filter.mode ?? ""} onChange={(event) => onChange({ mode: event.currentTarget.value })}>
            <option value="">{t("any_mode")}</option>
            {TRANSCRIPTION_TYPES.map((mode) => (
              <option key={mode} value={mode}>
                {t(`type.${mode}`)}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <Labelled label={t("language")} chosen={filter.language}>
        {(wiring) => (
          <select
            {...wiring}
            value={filter.language ?? ""}
            onChange={(event) => onChange({ language: event.currentTarget.value })}
          >
            <option value="">{t("any_language")}</option>
            <LanguageOptionList mode="full" />
          </select>
        )}
      </Labelled>
      {(["from", "to"] as const).map((end) => (
        <Labelled key={end} label={t(end)} chosen={filter[end]}>
          {(wiring) => (
            <input
              {...wiring}
              type="date"
              value={filter[end] ?? ""}
              {...(end === "from" ? { max: filter.to } : { min: filter.from })}
              onChange={(event) => onChange({ [end]: event.currentTarget.value })}
            />
          )}
        </Labelled>
      ))}
      <GroupFilters filter={filter} onChange={onChange} />
    </div>
  );
}
