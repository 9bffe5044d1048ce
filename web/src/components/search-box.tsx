/** A search field that searches while typing. */
import { Search, X } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { cx } from "@/lib/class-names";
import { TextInput } from "./field";

/** Longer than the pause between two keys, so that the server is asked once per word. */
const TYPING_PAUSE_MS = 250;

interface SearchBoxProps {
  label: string;
  clearLabel: string;
  value: string;
  onChange: (value: string) => void;
  className?: string;
}

export function SearchBox({ label, clearLabel, value, onChange, className }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const send = useEffectEvent((text: string) => text.trim() !== value && onChange(text.trim()));

  useEffect(() => {
    const timer = setTimeout(() => send(typed), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);

  // The value has changed from outside: the filter was reset, or the reader navigated back.
  useEffect(() => setTyped((current) => (current.trim() === value ? current : value)), [value]);

  return (
    <div className={cx("relative w-full", className)}>
      <Search aria-hidden="true" className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-faint" />
      <TextInput
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="px-9 text-ellipsis [&::-webkit-search-cancel-button]:hidden"
      />
      {typed && (
        <button
          type="button"
          aria-label={clearLabel}
          onClick={() => setTyped("")}
          className="absolute inset-y-0 right-0 flex w-10 items-center justify-center rounded text-ink-faint hover:text-ink"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      )}
    </div>
  );
}
