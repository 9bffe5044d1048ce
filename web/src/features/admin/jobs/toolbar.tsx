/** Search and filters for jobs of all users. */
import { X } from "lucide-react";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { AdminJobFilter } from "@/api/admin-jobs";
import { Button } from "@/components/button";
import { Choice } from "@/components/choice";
import { CONTROL } from "@/components/field";
import { useStatusLabel } from "@/components/job-status";
import { SearchBox } from "@/components/search-box";
import { cx } from "@/lib/class-names";
import { statusFilters } from "@/rules";
import type { FilterChange } from "./use-filter";

interface ToolbarProps {
  filter: AdminJobFilter;
  onFilter: (change: FilterChange) => void;
  /** Shown while a filter is set. */
  onClear: (() => void) | undefined;
  /** The number of results. */
  children: ReactNode;
}

export function Toolbar({ filter, onFilter, onClear, children }: ToolbarProps) {
  const { t } = useTranslation("admin-jobs");
  const label = useStatusLabel();
  return (
    <search className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap">
      <SearchBox
        label={t("search")}
        clearLabel={t("clear_search")}
        value={filter.q ?? ""}
        onChange={(q) => onFilter({ q })}
        className="col-span-full sm:w-auto sm:min-w-64 sm:flex-1"
      />
      <SearchBox
        label={t("search_user")}
        clearLabel={t("clear_search")}
        value={filter.user ?? ""}
        onChange={(user) => onFilter({ user })}
        className="col-span-full sm:w-auto sm:min-w-64 sm:flex-1"
      />
      <Choice
        label={t("columns.status")}
        all={t("all_statuses")}
        value={filter.status}
        options={statusFilters().map((value) => ({ value, text: label(value) }))}
        onChange={(status) => onFilter({ status })}
        className="col-span-full sm:w-44"
      />
      <div className="col-span-full grid grid-cols-2 gap-3 sm:flex">
        {(["from", "to"] as const).map((end) => (
          <Day
            key={end}
            label={t(end)}
            value={filter[end]}
            {...(end === "from" ? { max: filter.to } : { min: filter.from })}
            onChange={(day) => onFilter({ [end]: day })}
          />
        ))}
      </div>
      {onClear && (
        <Button look="quiet" onClick={onClear} className="col-span-full">
          <X aria-hidden="true" />
          {t("clear")}
        </Button>
      )}
      <p role="status" className="col-span-full flex min-h-(--control) items-center text-sm text-ink-soft">
        {children}
      </p>
    </search>
  );
}

interface DayProps {
  label: string;
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChange: (day: string) => void;
}

function Day({ label, value, min, max, onChange }: DayProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm text-ink-soft">
        {label}
      </label>
      <input
        id={id}
        type="date"
        min={min}
        max={max}
        value={value ?? ""}
        onChange={(event) => onChange(event.currentTarget.value)}
        className={cx(CONTROL, "sm:w-38", value && "border-accent")}
      />
    </div>
  );
}
