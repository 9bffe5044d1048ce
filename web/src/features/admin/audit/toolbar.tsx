/** Filters of the audit log, and its export. */
import { FileDown, X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { type AuditFilter, saveAudit } from "@/api/admin-audit";
import { Button } from "@/components/button";
import { CONTROL } from "@/components/field";
import { SearchBox } from "@/components/search-box";
import { useErrorText } from "@/hooks/use-error-text";
import { cx } from "@/lib/class-names";
import { toast } from "@/lib/toast";
import { actionsOf, isKnown, NOUNS, useActionName } from "./actions";
import type { FilterChange } from "./use-filter";

interface ToolbarProps {
  filter: AuditFilter;
  onChange: (change: FilterChange) => void;
  onClear: () => void;
}

export function Toolbar({ filter, onChange, onClear }: ToolbarProps) {
  const { t } = useTranslation("admin-audit");
  const nameOf = useActionName();
  const { action = "" } = filter;
  const narrowed = Object.keys(filter).length > 0;
  // The URL may contain an action that this version does not know.
  const known = isKnown(action);
  return (
    <search className="flex flex-wrap items-end gap-x-3 gap-y-2">
      <SearchBox
        label={t("search")}
        clearLabel={t("clear_search")}
        value={filter.search ?? ""}
        onChange={(q) => onChange({ q })}
        className="sm:w-auto sm:min-w-64 sm:max-w-96 sm:flex-1"
      />
      <Labelled label={t("action")} className="w-full sm:w-44">
        {(wiring) => (
          <select {...wiring} value={action} onChange={(event) => onChange({ action: event.currentTarget.value })}>
            <option value="">{t("any_action")}</option>
            {action !== "" && !known && <option value={action}>{nameOf(action)}</option>}
            {NOUNS.map((noun) => (
              <optgroup key={noun} label={t(`nouns.${noun}`)}>
                <option value={noun}>{t("all_of", { noun: t(`nouns.${noun}`) })}</option>
                {actionsOf(noun).map((choice) => (
                  <option key={choice} value={choice}>
                    {nameOf(choice)}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        )}
      </Labelled>
      {(["from", "to"] as const).map((end) => (
        <Labelled key={end} label={t(end)} className="w-36">
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
      {narrowed && (
        <Button look="quiet" onClick={onClear}>
          <X aria-hidden="true" />
          {t("clear")}
        </Button>
      )}
      <ExportButton filter={filter} />
    </search>
  );
}

function ExportButton({ filter }: { filter: AuditFilter }) {
  const { t } = useTranslation("admin-audit");
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const save = () => {
    setBusy(true);
    saveAudit(filter)
      .catch((error: unknown) => toast.error(`${t("export_failed")}. ${errorText(error)}`))
      .finally(() => setBusy(false));
  };
  return (
    <Button busy={busy} onClick={save} className="sm:ml-auto">
      <FileDown aria-hidden="true" />
      {t("export")}
    </Button>
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
