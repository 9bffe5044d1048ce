/** Search by name and the choice of a status, over the list. */
import { useTranslation } from "react-i18next";
import type { JobFilter } from "@/api/jobs";
import { useStatusLabel } from "@/components/job-status";
import { SearchBox } from "@/components/search-box";
import { cx } from "@/lib/class-names";
import { statusFilters } from "@/rules";

interface ToolbarProps {
  filter: JobFilter;
  onChange: (change: { q?: string; status?: string }) => void;
}

export function Toolbar({ filter, onChange }: ToolbarProps) {
  const { t } = useTranslation("transcripts");
  const label = useStatusLabel();
  const choices = [{ value: "", text: t("all") }, ...statusFilters().map((status) => ({ value: status, text: label(status) }))];
  return (
    <search className="flex flex-col gap-x-6 gap-y-3 lg:flex-row lg:items-center">
      <SearchBox
        label={t("search")}
        clearLabel={t("clear_search")}
        value={filter.q ?? ""}
        onChange={(q) => onChange({ q })}
        className="lg:w-80"
      />
      <fieldset className="-mx-4 flex gap-1 overflow-x-auto px-4 lg:mx-0 lg:px-0">
        <legend className="sr-only">{t("filter")}</legend>
        {choices.map(({ value, text }) => {
          const chosen = (filter.status ?? "") === value;
          return (
            <button
              key={value}
              type="button"
              aria-pressed={chosen}
              onClick={() => onChange({ status: value })}
              className={cx(
                "h-(--control) shrink-0 rounded px-3 text-[0.9375rem] -outline-offset-2",
                chosen ? "bg-ink text-paper" : "text-ink-soft hover:bg-paper-sunk hover:text-ink",
              )}
            >
              {text}
            </button>
          );
        })}
      </fieldset>
    </search>
  );
}
