/** A filter of presets, stored in the URL: it survives a reload, a shared link and the Back button. */
import { useSearchParams } from "react-router";
import { isFiltered, type PresetFilter, parseFilter } from "./preset-filter";

export function usePresetFilter() {
  const [params, setParams] = useSearchParams();
  const filter = parseFilter(params);
  return {
    filter,
    filtered: isFiltered(filter),
    /** Typing replaces the history entry, so that the Back button leaves the page instead of removing a letter. */
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
