/** Start or end of a subtitle: typed, changed with arrow keys, or set to the playback position. */
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { cx } from "@/lib/class-names";
import type { Locale } from "@/lib/i18n";
import { frameRate } from "./cue-editor";
import { formatTime, nudgeSeconds, parseTime, roundTime } from "./cue-time";

interface TimeFieldProps {
  label: string;
  seconds: number;
  locale: Locale;
  /** Sets a time; returns an error message, or null. */
  onTime: (seconds: number) => string | null;
  /** The message for text that is not a time. */
  unreadable: string;
  className?: string;
}

export function TimeField({ label, seconds, locale, onTime, unreadable, className }: TimeFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  /** The time reached with an arrow key, set when the key is released. */
  const pending = useRef<number | null>(null);

  const give = (time: number | null) => {
    pending.current = null;
    const why = time === null ? unreadable : time === roundTime(seconds) ? null : onTime(time);
    setProblem(why);
    // Refused text stays, to be corrected.
    setTyped((current) => (why === null ? null : current));
    return why === null;
  };
  const commit = () => (typed === null ? true : give(parseTime(typed, frameRate())));

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Escape") {
      pending.current = null;
      setTyped(null);
      setProblem(null);
    } else if (event.key === "Enter") {
      event.preventDefault();
      commit();
    } else if ((event.key === "ArrowUp" || event.key === "ArrowDown") && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      const by = nudgeSeconds(event.shiftKey ? "tenth" : "frame", frameRate());
      const from = pending.current ?? (typed === null ? seconds : (parseTime(typed, frameRate()) ?? seconds));
      pending.current = roundTime(Math.max(0, from + (event.key === "ArrowUp" ? by : -by)));
      setTyped(formatTime(pending.current, locale));
    }
  };

  return (
    <span className="relative block">
      <input
        type="text"
        inputMode="text"
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        aria-describedby={problem && typed !== null ? id : undefined}
        aria-invalid={(problem !== null && typed !== null) || undefined}
        // Nothing is typed, so Ctrl+Z undoes edits of the text.
        {...(typed === null && { "data-steps": "" })}
        value={typed ?? formatTime(seconds, locale)}
        onChange={(event) => {
          pending.current = null;
          setProblem(null);
          setTyped(event.target.value);
        }}
        onKeyDown={onKeyDown}
        onKeyUp={() => pending.current !== null && give(pending.current)}
        onBlur={() => {
          if (!commit()) {
            // On blur, the field shows the current time again; the error has been announced.
            setTyped(null);
          }
        }}
        className={cx(
          "figures block h-7 w-full min-w-0 rounded border border-transparent bg-transparent px-1 text-xs text-ink-soft hover:border-edge focus:border-edge aria-invalid:border-bad pointer-coarse:h-9",
          className,
        )}
      />
      {/* Covers what is below, so that the rows do not move. */}
      {problem && typed !== null && (
        <span
          role="alert"
          id={id}
          className="absolute top-full left-0 z-10 block w-max max-w-60 rounded border border-bad bg-bad-wash px-1.5 py-0.5 text-xs text-bad"
        >
          {problem}
        </span>
      )}
    </span>
  );
}
