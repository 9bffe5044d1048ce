/** What the palette can do, found by any of its words. */
import { foldText } from "@/rules/text";

export interface Command {
  id: string;
  group: "pages" | "actions" | "recent" | "said";
  label: string;
  /** Beside the label, smaller. */
  note?: string;
  /** Where in the label the searched words stand. */
  ranges?: readonly (readonly number[])[];
  run: () => unknown;
}

/** Those of the commands in which every word of the query begins a word or stands in one, the former first. */
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

/** The place after a key; the last one is followed by the first. */
export function moved(key: string, at: number, count: number): number | null {
  if (count === 0) return null;
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1 };
  const next = steps[key];
  return next === undefined ? null : (next + count) % count;
}
