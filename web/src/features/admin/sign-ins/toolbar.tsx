/** Filters of the list. */
import { X } from "lucide-react";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { CONTROL } from "@/components/field";
import { SearchBox } from "@/components/search-box";
import { cx } from "@/lib/class-names";
import { SIGN_IN_OUTCOMES } from "@/rules/constants";
import type { useFilter } from "./use-filter";

export function Toolbar({ filter, change, clear }: ReturnType<typeof useFilter>) {
  const { t } = useTranslation("admin-sign-ins");
  return (
    <search className="flex flex-wrap items-end gap-x-3 gap-y-2">
      <SearchBox
        label={t("search")}
        clearLabel={t("clear_search")}
        value={filter.search ?? ""}
        onChange={(q) => change({ q })}
        className="sm:w-auto sm:min-w-64 sm:flex-1"
      />
      <Labelled label={t("outcome")} className="w-full sm:w-52">
        {(wiring) => (
          <select {...wiring} value={filter.outcome ?? ""} onChange={(event) => change({ outcome: event.currentTarget.value })}>
            <option value="">{t("any_outcome")}</option>
            {SIGN_IN_OUTCOMES.map((outcome) => (
              <option key={outcome} value={outcome}>
                {t(`outcomes.${outcome}`)}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <div className="flex gap-3">
        {(["from", "to"] as const).map((end) => (
          <Labelled key={end} label={t(end)} className="w-36">
            {(wiring) => (
              <input
                {...wiring}
                type="date"
                value={filter[end] ?? ""}
                {...(end === "from" ? { max: filter.to } : { min: filter.from })}
                onChange={(event) => change({ [end]: event.currentTarget.value })}
              />
            )}
          </Labelled>
        ))}
      </div>
      {Object.keys(filter).length > 0 && (
        <Button look="quiet" onClick={clear}>
          <X aria-hidden="true" />
          {t("clear")}
        </Button>
      )}
    </search>
  );
}

interface LabelledProps {
  label: string;
  className: string;
  children: (wiring: { id: string; className: string }) => ReactNode;
}

function Labelled({ label, className, children }: LabelledProps) {
  const id = useId();
  return (
    <div className={cx("flex flex-col gap-1", className)}>
      <label htmlFor={id} className="text-sm text-ink-soft">
        {label}
      </label>
      {children({ id, className: cx(CONTROL, "text-sm") })}
    </div>
  );
}
