/**
 * Several of a fixed list of options, shown as chips after which the others can be searched. In the list, the arrow keys
 * move, Enter adds and Escape closes; from the empty input, Backspace and the left arrow move to the chips.
 */
import { ChevronDown } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { cx } from "@/lib/class-names";
import { CHIPS_BOX, CHIPS_TEXT, ChipList, useChips } from "./chips-input";

interface ChipOption {
  value: string;
  label: string;
}

interface ChipsSelectProps {
  /** All options, in the order of the list. */
  options: readonly ChipOption[];
  /** The values of the selected options. Others than those of the options are shown as they are. */
  selected: readonly string[];
  onChange: (selected: string[]) => void;
  /** Indices of invalid values. */
  broken?: ReadonlySet<number>;
  /** Label of a chip's remove button. */
  removeLabel: (label: string) => string;
  placeholder: string;
  /** Name of the list. */
  listLabel: string;
  /** Shown if the search finds nothing. */
  nothing: string;
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

/** The options that begin with the text, then those that contain it; a value must be complete. */
export function matchingOptions(options: readonly ChipOption[], typed: string): ChipOption[] {
  const text = typed.trim().toLocaleLowerCase();
  const rank = ({ value, label }: ChipOption): number => {
    const at = label.toLocaleLowerCase().indexOf(text);
    return at === 0 || value === text ? 0 : at > 0 ? 1 : 2;
  };
  const found = options.filter((option) => rank(option) < 2);
  return [...found.filter((option) => rank(option) === 0), ...found.filter((option) => rank(option) === 1)];
}

export function ChipsSelect({
  options,
  selected,
  onChange,
  broken,
  removeLabel,
  placeholder,
  listLabel,
  nothing,
  ...wiring
}: ChipsSelectProps) {
  const listId = useId();
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const { input, list, focus, remove } = useChips(selected, onChange);
  const labelOf = (value: string) => options.find((option) => option.value === value)?.label ?? value;
  const found = matchingOptions(
    options.filter(({ value }) => !selected.includes(value)),
    text,
  );
  // The list may have become shorter.
  const current = Math.min(at, found.length - 1);

  const close = () => {
    setOpen(false);
    setText("");
    setAt(0);
  };

  const add = (option: ChipOption | undefined) => {
    if (!option) return;
    onChange([...selected, option.value]);
    setText("");
    // After a search, the list begins anew; without one, the next option takes the place of this one.
    if (text !== "") setAt(0);
  };

  const move = (step: -1 | 1) => {
    if (!open) setOpen(true);
    else if (found.length > 0) setAt((current + step + found.length) % found.length);
  };

  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    // The same key may end an IME composition.
    if (event.nativeEvent.isComposing) return;
    const { key } = event;
    if (key === "ArrowDown" || key === "ArrowUp") move(key === "ArrowDown" ? 1 : -1);
    else if (key === "Enter") {
      if (open) add(found[current]);
    } else if (key === "," && open) add(found[current]);
    else if (key === "Escape" && open) {
      // A sheet around it stays open.
      event.stopPropagation();
      close();
    } else if ((key === "Backspace" || key === "ArrowLeft") && text === "" && selected.length > 0) focus(selected.length - 1);
    else return;
    event.preventDefault();
  };

  return (
    <div className="relative">
      <div className={cx(CHIPS_BOX, "pr-6")}>
        <ChipList
          list={list}
          labels={selected.map(labelOf)}
          broken={broken}
          removeLabel={removeLabel}
          onRemove={remove}
          onMove={(from, step) => focus(from + step)}
        />
        <input
          ref={input}
          {...wiring}
          type="text"
          role="combobox"
          aria-expanded={open}
          aria-controls={open ? listId : undefined}
          aria-autocomplete="list"
          aria-activedescendant={open && found[current] ? `${listId}-${current}` : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder={selected.length === 0 ? placeholder : undefined}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setAt(0);
            setOpen(true);
          }}
          onKeyDown={press}
          onClick={() => setOpen(true)}
          onBlur={close}
          // Little, so that it seldom needs a line of its own.
          className={cx(CHIPS_TEXT, "min-w-10")}
        />
      </div>
      <ChevronDown
        aria-hidden="true"
        strokeWidth={2.5}
        className="pointer-events-none absolute top-[calc(var(--control)/2-0.4375rem)] right-1.5 size-3.5"
      />
      {open && (
        <OptionList
          id={listId}
          label={listLabel}
          options={found}
          current={current}
          nothing={nothing}
          onPoint={setAt}
          onSelect={add}
        />
      )}
    </div>
  );
}

interface OptionListProps {
  id: string;
  label: string;
  options: readonly ChipOption[];
  current: number;
  nothing: string;
  onPoint: (at: number) => void;
  onSelect: (option: ChipOption) => void;
}

function OptionList({ id, label, options, current, nothing, onPoint, onSelect }: OptionListProps) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current one is the signal
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView?.({ block: "nearest" });
  }, [current]);
  return (
    <div className="absolute inset-x-0 top-full z-20 mt-1 overflow-hidden rounded border border-rule-strong bg-paper-raised shadow-sheet">
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={label}
        tabIndex={-1}
        // The input keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
        className="max-h-56 overflow-y-auto p-1"
      >
        {options.map((option, position) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input, which keeps the focus
          <div
            key={option.value}
            id={`${id}-${position}`}
            role="option"
            aria-selected={position === current}
            tabIndex={-1}
            onPointerMove={() => position !== current && onPoint(position)}
            onClick={() => onSelect(option)}
            className={cx(
              "flex min-h-9 cursor-pointer items-center rounded-sm px-2.5 text-[0.9375rem] pointer-coarse:min-h-11",
              position === current && "bg-accent-wash",
            )}
          >
            {option.label}
          </div>
        ))}
      </div>
      <p role="status" className={cx(options.length === 0 ? "px-3 pb-2.5 text-sm text-ink-soft" : "sr-only")}>
        {options.length === 0 && nothing}
      </p>
    </div>
  );
}
