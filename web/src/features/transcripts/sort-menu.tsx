/** The sort order if there are no clickable headings: on a phone, and beside the open sidebar. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { CONTROL } from "@/components/field";
import { parseSort, SORTS, type Sort } from "./sorting";

interface SortMenuProps {
  sort: Sort;
  onSort: (sort: Sort) => void;
}

export function SortMenu({ sort, onSort }: SortMenuProps) {
  const { t } = useTranslation("transcripts");
  const id = useId();
  return (
    <div className="mb-3 flex items-center gap-2 @4xl:hidden">
      <label htmlFor={id} className="shrink-0 text-sm text-ink-soft">
        {t("sort.label")}
      </label>
      <select
        id={id}
        value={sort}
        onChange={(event) => onSort(parseSort(event.currentTarget.value))}
        className={`${CONTROL} min-w-0 flex-1 sm:flex-none`}
      >
        {SORTS.map((choice) => (
          <option key={choice} value={choice}>
            {t(`sort.${choice}`)}
          </option>
        ))}
      </select>
    </div>
  );
}
