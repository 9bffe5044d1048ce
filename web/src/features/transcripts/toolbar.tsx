/** Search and filters for the list. On a phone, less common filters are behind a button. */
import { SlidersHorizontal, X } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { JobFilter } from "@/api/jobs";
import { Button } from "@/components/button";
import { useStatusLabel } from "@/components/job-status";
import { SearchBox } from "@/components/search-box";
import { cx } from "@/lib/class-names";
import { statusFilters } from "@/rules";
import { activeFilterCount } from "./filter";
import { MoreFilters } from "./more-filters";
import type { FilterChange } from "./use-filter";

interface ToolbarProps {
  filter: JobFilter;
  onChange: (change: FilterChange) => void;
}

export function Toolbar({ filter, onChange }: ToolbarProps) {
  const { t } = useTranslation("transcripts");
  const label = useStatusLabel();
  const id = useId();
  const count = activeFilterCount(filter);
  const [open, setOpen] = useState(count > 0);
  const choices = [{ value: "", text: t("all") }, ...statusFilters().map((status) => ({ value: status, text: label(status) }))];
  return (
    <search className="flex flex-col gap-3">
      <div className="flex flex-col gap-x-6 gap-y-3 xl:flex-row xl:items-center">
        <div className="flex gap-2 xl:w-md">
          <SearchBox
            label={t("search")}
            clearLabel={t("clear_search")}
            value={filter.q ?? ""}
            onChange={(q) => onChange({ q })}
            className="min-w-0 flex-1"
          />
          <Button aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)} className="max-sm:px-3">
            <SlidersHorizontal aria-hidden="true" />
            <span className="max-sm:sr-only">{t("filters")}</span>
            {count > 0 && <span className="figures text-sm">{count}</span>}
          </Button>
        </div>
        {/* Three and two on a phone, so that no line has a single one. */}
        <fieldset className="flex gap-1 max-sm:grid max-sm:grid-cols-6">
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
                  "h-(--control) shrink-0 rounded px-3 text-[0.9375rem] -outline-offset-2 max-sm:col-span-2 max-sm:border max-sm:px-1 max-sm:nth-of-type-[n+4]:col-span-3",
                  chosen ? "border-ink bg-ink text-paper" : "border-edge text-ink-soft hover:bg-paper-sunk hover:text-ink",
                )}
              >
                {text}
              </button>
            );
          })}
        </fieldset>
      </div>
      <div id={id} hidden={!open} className="flex flex-wrap items-end gap-3">
        <MoreFilters filter={filter} onChange={onChange} />
        {count > 0 && (
          <Button look="quiet" onClick={() => onChange({ mode: "", language: "", tag: "", folder: "", from: "", to: "" })}>
            <X aria-hidden="true" />
            {t("clear_filters")}
          </Button>
        )}
      </div>
    </search>
  );
}
