/**
 * Tabs for pages that must stay small: the arrow keys move between tabs without opening them, because each opened tab
 * is an entry in the history. Elsewhere those of radix-ui are used.
 */
import { createContext, type KeyboardEvent, type ReactNode, use, useId, useRef, useState } from "react";

interface OpenTabState {
  id: string;
  value: string;
  onValueChange: (value: string) => void;
}

const OpenTab = createContext<OpenTabState>({ id: "", value: "", onValueChange: () => undefined });

interface TabsProps<Value extends string> {
  /** The open tab. */
  value: Value;
  /** Called at every click, also at one on the open tab. */
  onValueChange: (value: Value) => void;
  className?: string;
  children: ReactNode;
}

export function Tabs<Value extends string>({ value, onValueChange, className, children }: TabsProps<Value>) {
  const id = useId();
  return (
    <OpenTab value={{ id, value, onValueChange: onValueChange as OpenTabState["onValueChange"] }}>
      <div className={className}>{children}</div>
    </OpenTab>
  );
}

interface TabListProps {
  label: string;
  tabs: readonly { value: string; label: string }[];
  className?: string;
  tabClassName?: string;
}

/** A single tab stop: the open tab, or the one reached with the arrow keys. */
export function TabList({ label, tabs, className, tabClassName }: TabListProps) {
  const { id, value, onValueChange } = use(OpenTab);
  const [reached, setReached] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);

  const move = (event: KeyboardEvent, at: number) => {
    const goal = goalOf(event.key, at, tabs.length);
    if (goal === null) return;
    event.preventDefault();
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[goal]?.focus();
  };

  return (
    <div ref={list} role="tablist" aria-label={label} className={className}>
      {tabs.map((tab, at) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          id={`${id}-tab-${tab.value}`}
          aria-controls={`${id}-panel-${tab.value}`}
          aria-selected={tab.value === value}
          tabIndex={tab.value === (reached ?? value) ? 0 : -1}
          className={tabClassName}
          onClick={() => onValueChange(tab.value)}
          onKeyDown={(event) => move(event, at)}
          onFocus={() => setReached(tab.value)}
          onBlur={() => setReached(null)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}

/** The index that a key leads to, wrapping around; null for other keys. */
function goalOf(key: string, at: number, count: number): number | null {
  switch (key) {
    case "ArrowRight":
      return (at + 1) % count;
    case "ArrowLeft":
      return (at + count - 1) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

interface TabPanelProps {
  value: string;
  /** Stays mounted, but hidden, while another tab is open. */
  keep?: boolean;
  /** Must hide it when it has no `data-open`. */
  className?: string;
  children: ReactNode;
}

export function TabPanel({ value, keep = false, className, children }: TabPanelProps) {
  const { id, value: open } = use(OpenTab);
  const isOpen = value === open;
  return (
    <div
      role="tabpanel"
      id={`${id}-panel-${value}`}
      aria-labelledby={`${id}-tab-${value}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel without controls must be scrollable by keyboard
      tabIndex={0}
      data-open={isOpen ? "" : undefined}
      className={className}
    >
      {(isOpen || keep) && children}
    </div>
  );
}
