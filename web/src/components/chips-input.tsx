/**
 * A list of short entries, shown as chips. Enter, a comma, a semicolon or a new line ends an entry; a pasted list is
 * split. Backspace and the arrow keys move from the empty input to the chips, Delete removes one.
 */
import { X } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useRef, useState } from "react";
import { cx } from "@/lib/class-names";
import { endsEntry, splitEntries, withEntries } from "./chips";

interface ChipsInputProps {
  entries: readonly string[];
  onChange: (entries: string[]) => void;
  /** Label of a chip's remove button. */
  removeLabel: (entry: string) => string;
  /** Indices of invalid entries. */
  broken?: ReadonlySet<number>;
  placeholder?: string;
  locked?: boolean;
  onLocked?: () => void;
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

/** The frame of chips and their input. */
export const CHIPS_BOX =
  "relative flex max-h-32 min-h-(--control) flex-wrap content-start gap-1.5 overflow-y-auto rounded border border-edge bg-paper-raised px-1.5 py-[0.3125rem] transition-colors hover:border-ink-faint has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-accent has-[input[aria-invalid]]:border-bad";

/** The input after the chips. */
export const CHIPS_TEXT = "h-7 flex-1 bg-transparent px-1.5 text-base outline-none aria-disabled:cursor-not-allowed";

/** Removes chips, and moves the focus between them and the input after the last one. */
export function useChips(entries: readonly string[], onChange: (entries: string[]) => void) {
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);

  /** Focuses the chip at an index, or the input after the last one. */
  const focus = (at: number) => {
    const slips = list.current?.querySelectorAll("button");
    (slips?.[Math.max(0, at)] ?? input.current)?.focus();
  };

  const remove = (at: number) => {
    onChange(entries.filter((_, position) => position !== at));
    // The next chip has moved to the index of the removed one.
    requestAnimationFrame(() => focus(at));
  };
  return { input, list, focus, remove };
}

export function ChipsInput({
  entries,
  onChange,
  removeLabel,
  broken,
  placeholder,
  locked = false,
  onLocked,
  ...wiring
}: ChipsInputProps) {
  const [text, setText] = useState("");
  const { input, list, focus, remove } = useChips(entries, onChange);

  const add = (typed: string) => {
    const added = splitEntries(typed);
    setText("");
    if (added.length > 0) onChange(withEntries(entries, added));
  };

  const type = (typed: string) => (endsEntry(typed) ? add(typed) : setText(typed));

  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    // The same key may end an IME composition.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      if (locked) onLocked?.();
      else add(text);
    } else if ((event.key === "Backspace" || event.key === "ArrowLeft") && text === "" && entries.length > 0) {
      event.preventDefault();
      focus(entries.length - 1);
    }
  };

  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData("text");
    // The input would remove line breaks before they can be handled.
    if (!locked && endsEntry(pasted)) {
      event.preventDefault();
      add(text + pasted);
    }
  };

  return (
    <div className={cx(CHIPS_BOX, locked && "border-rule-strong bg-paper-sunk hover:border-rule-strong")}>
      <ChipList
        list={list}
        labels={entries}
        broken={broken}
        removeLabel={removeLabel}
        onRemove={remove}
        onMove={(at, step) => focus(at + step)}
      />
      <input
        ref={input}
        {...wiring}
        type="text"
        autoComplete="off"
        readOnly={locked}
        aria-disabled={locked || undefined}
        placeholder={entries.length === 0 ? placeholder : undefined}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={press}
        onPaste={paste}
        onBlur={() => add(text)}
        onClick={() => locked && onLocked?.()}
        className={cx(CHIPS_TEXT, "min-w-24")}
      />
    </div>
  );
}

interface ChipListProps {
  list: RefObject<HTMLUListElement | null>;
  labels: readonly string[];
  removeLabel: (label: string) => string;
  broken?: ReadonlySet<number> | undefined;
  onRemove: (at: number) => void;
  /** From a chip to the previous (-1) or next (1) one. */
  onMove: (at: number, step: -1 | 1) => void;
}

export function ChipList({ list, labels, removeLabel, broken, onRemove, onMove }: ChipListProps) {
  if (labels.length === 0) return null;
  return (
    <ul ref={list} className="contents">
      {labels.map((label, at) => (
        <Slip
          key={label}
          entry={label}
          broken={broken?.has(at) ?? false}
          label={removeLabel(label)}
          onRemove={() => onRemove(at)}
          onMove={(step) => onMove(at, step)}
        />
      ))}
    </ul>
  );
}

interface SlipProps {
  entry: string;
  broken: boolean;
  label: string;
  onRemove: () => void;
  /** To the previous (-1) or next (1) chip. */
  onMove: (step: -1 | 1) => void;
}

function Slip({ entry, broken, label, onRemove, onMove }: SlipProps) {
  const press = (event: KeyboardEvent) => {
    const step = ({ ArrowLeft: -1, ArrowRight: 1 } as const)[event.key];
    if (step) {
      event.preventDefault();
      onMove(step);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      onRemove();
    }
  };
  return (
    <li
      className={cx(
        "flex h-7 max-w-full items-center rounded-sm border pl-2 text-[0.875rem] leading-none",
        broken ? "border-bad bg-bad-wash text-bad" : "border-rule-strong bg-paper-sunk",
      )}
    >
      <span className="truncate leading-5">{entry}</span>
      <button
        type="button"
        tabIndex={-1}
        aria-label={label}
        onClick={onRemove}
        onKeyDown={press}
        className="flex size-6.5 shrink-0 items-center justify-center text-ink-faint hover:text-ink [&_svg]:size-3.5"
      >
        <X aria-hidden="true" />
      </button>
    </li>
  );
}
