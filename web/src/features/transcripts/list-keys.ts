/**
 * Keyboard control of the list: arrow keys move between rows, Space selects, Esc deselects; Enter opens, as on any
 * link.
 */
import type { KeyboardEvent } from "react";

/** On the link of each row; its value is the job's id. */
export const ROW_LINK = "data-row-link";

interface Keys {
  /** With Shift: all rows up to this one. */
  onToggle: (id: string, reach: boolean) => void;
  onClear: () => void;
}

export function onListKeys(event: KeyboardEvent<HTMLElement>, { onToggle, onClear }: Keys): void {
  const { key, target, shiftKey } = event;
  if (event.altKey || event.ctrlKey || event.metaKey || !(target instanceof HTMLElement)) return;
  if (key === "Escape") {
    onClear();
    return;
  }
  const id = target.getAttribute(ROW_LINK);
  if (id === null) return;
  if (key === " ") {
    event.preventDefault();
    onToggle(id, shiftKey);
    return;
  }
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>(`[${ROW_LINK}]`)];
  const next = neighbour(key, links.indexOf(target), links.length);
  if (next === null) return;
  event.preventDefault();
  const link = links[next];
  link?.focus();
  // Otherwise the focused row could be behind the sticky heading.
  link?.closest("[role=row], li")?.scrollIntoView({ block: "nearest" });
  const reached = link?.getAttribute(ROW_LINK);
  if (shiftKey && reached) onToggle(reached, true);
}

/** The row that a key leads to; null for other keys and at the ends. */
export function neighbour(key: string, from: number, count: number): number | null {
  const steps: Record<string, number> = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: count - 1 };
  const next = steps[key];
  return next === undefined || next === from || next < 0 || next >= count ? null : next;
}
