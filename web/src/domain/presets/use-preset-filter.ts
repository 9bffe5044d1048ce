/** A filter of presets, kept in the address: a reload, a link and the back button keep it. */
import { useSearchParams } from "react-router";
import { isFiltered, type PresetFilter, parseFilter } from "./preset-filter";

export function usePresetFilter() {
  const [params, setParams] = useSearchParams();
  const filter = parseFilter(params);
  return {
    filter,
    filtered: isFiltered(filter),
    /** Typing replaces the history entry; the back button leaves the page, not the last letter. */
    setFilter: (change: Partial<Record<keyof PresetFilter, string>>) => {
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [key, value] of Object.entries(change)) {
            if (value) after.set(key, value);
            else after.delete(key);
          }
          return after;
        },
        { replace: true, preventScrollReset: true },
      );
    },
  };
}
