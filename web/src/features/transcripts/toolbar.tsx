/** Search by name and the choice of a status, over the list. */
import { Search, X } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { JobFilter } from "@/api/jobs";
import { TextInput } from "@/components/field";
import { useStatusLabel } from "@/components/job-status";
import { cx } from "@/lib/class-names";
import { statusFilters } from "@/rules";

/** A word is typed faster than this; the server is asked once a word. */
const TYPING_PAUSE_MS = 250;

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
      <SearchBox value={filter.q ?? ""} onChange={(q) => onChange({ q })} />
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

function SearchBox({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation("transcripts");
  const [typed, setTyped] = useState(value);
  const send = useEffectEvent((text: string) => text.trim() !== value && onChange(text.trim()));

  useEffect(() => {
    const timer = setTimeout(() => send(typed), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);

  // The address changed from outside: the filter was reset, or the reader went back.
  useEffect(() => setTyped((now) => (now.trim() === value ? now : value)), [value]);

  return (
    <div className="relative w-full lg:w-80">
      <Search aria-hidden="true" className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-faint" />
      <TextInput
        type="search"
        aria-label={t("search")}
        placeholder={t("search")}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="px-9 [&::-webkit-search-cancel-button]:hidden"
      />
      {typed && (
        <button
          type="button"
          aria-label={t("clear_search")}
          onClick={() => setTyped("")}
          className="absolute inset-y-0 right-0 flex w-10 items-center justify-center rounded text-ink-faint hover:text-ink"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      )}
    </div>
  );
}
