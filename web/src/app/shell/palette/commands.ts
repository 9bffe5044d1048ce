/** The palette's commands, found by any of their words. */
import { foldText } from "@/rules/text";

export interface Command {
  id: string;
  group: "pages" | "actions" | "recent" | "said";
  label: string;
  /** Shown smaller beside the label. */
  note?: string;
  /** Positions of the searched words in the label. */
  ranges?: readonly (readonly number[])[];
  run: () => unknown;
}

/** The commands that contain every word of the query; those with a match at the start of a word come first. */
export function matching(commands: readonly Command[], query: string): readonly Command[] {
  const words = foldText(query).split(" ").filter(Boolean);
  if (words.length === 0) return commands;
  const begin: Command[] = [];
  const within: Command[] = [];
  for (const command of commands) {
    const label = ` ${foldText(`${command.label} ${command.note ?? ""}`)}`;
    if (words.every((word) => label.includes(` ${word}`))) begin.push(command);
    else if (words.every((word) => label.includes(word))) within.push(command);
  }
  return [...begin, ...within];
}

/** The index after a key; wraps around at both ends. */
export function nextIndex(key: string, at: number, count: number): number | null {
  if (count === 0) return null;
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1 };
  const next = steps[key];
  return next === undefined ? null : (next + count) % count;
}
