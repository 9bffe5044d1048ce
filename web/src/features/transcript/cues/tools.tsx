/** The tools for the selected subtitle: a row of buttons above the list, and the menu of each row. */
import {
  ArrowLeftFromLine,
  ArrowLeftToLine,
  ArrowRightFromLine,
  ArrowRightToLine,
  ChevronLeft,
  ChevronRight,
  ListPlus,
  type LucideIcon,
  Merge,
  RotateCcw,
  Scissors,
  Split,
  WrapText,
} from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/icon-button";
import { MenuItem, MenuSeparator } from "@/components/menu";
import { useLocale } from "@/hooks/use-locale";
import type { PlacedCue } from "../tabs/cues";
import type { CueEditor, Outcome } from "./cue-editor";
import type { CueKey, CueStore } from "./cue-store";
import { formatTime } from "./cue-time";

type ToolName =
  | "startEarlier"
  | "startLater"
  | "startHere"
  | "endEarlier"
  | "endLater"
  | "endHere"
  | "split"
  | "join"
  | "breakLine"
  | "insert"
  | "byRule"
  | "splitLine"
  | "lineTimes";

interface Tool {
  name: ToolName;
  icon: LucideIcon;
  keys?: string;
  /** Starts a new group. */
  begins?: boolean;
  /** In the menu of a row only. */
  menuOnly?: boolean;
  /** Whether the tool is unavailable for this cue; whether there is a next line is not known here. */
  off?: (cue: PlacedCue) => boolean;
}

const TOOLS: readonly Tool[] = [
  { name: "startEarlier", icon: ChevronLeft },
  { name: "startLater", icon: ChevronRight },
  { name: "startHere", icon: ArrowRightFromLine, keys: "Alt [" },
  { name: "endEarlier", icon: ChevronLeft, begins: true },
  { name: "endLater", icon: ChevronRight },
  { name: "endHere", icon: ArrowLeftFromLine, keys: "Alt ]" },
  { name: "split", icon: Scissors, keys: "Alt ⏎", begins: true },
  { name: "breakLine", icon: WrapText, keys: "⇧ ⏎" },
  { name: "join", icon: Merge },
  { name: "insert", icon: ListPlus },
  { name: "byRule", icon: RotateCcw, off: ({ segment }) => !segment.cues?.length },
  { name: "splitLine", icon: Split, begins: true, menuOnly: true, off: ({ part }) => part === 0 },
  { name: "lineTimes", icon: ArrowLeftToLine, menuOnly: true },
];

/** In a menu, the position does not show which edge is meant. */
const MENU_ICONS: Partial<Record<ToolName, LucideIcon>> = { startLater: ArrowRightToLine };

interface CueToolsParts {
  editor: CueEditor;
  store: CueStore;
  onInsert: (behind: CueKey) => void;
  onLineTimes: (segment: string) => void;
}

export type RunTool = (name: ToolName, key: CueKey) => void;

/** The message: done, impossible there, or too many subtitles in the line. */
export const outcomeMessage = <Done extends string, Not extends string>(outcome: Outcome, done: Done, not: Not) =>
  outcome === "tooMany" ? ("cues.problems.tooMany" as const) : outcome ? done : not;

/** Runs a tool, and reports why it had no effect. */
export function useRunTool({ editor, store, onInsert, onLineTimes }: CueToolsParts): RunTool {
  const { t } = useTranslation("editor");
  const locale = useLocale();
  return useMemo(() => {
    const announce = (announcement: string) => store.setState({ announcement });
    const timed = (key: CueKey, problem: ReturnType<CueEditor["nudge"]>) => {
      const cue = editor.cue(key);
      const times = cue && { start: formatTime(cue.start, locale), end: formatTime(cue.end, locale) };
      announce(problem ? t(`cues.problems.${problem}`) : times ? t("cues.movedTo", times) : "");
    };
    const atCaret = (act: CueEditor["split"], key: CueKey) => {
      const { chosen, caret } = store.getState();
      const ownCaret = chosen?.segment === key.segment && chosen.part === key.part ? caret : null;
      const cue = editor.cue(key);
      const letter = ownCaret ?? (cue ? middleOf(cue) : 0);
      return act(key.segment, letter);
    };
    const does: Record<ToolName, (key: CueKey) => unknown> = {
      startEarlier: (key) => timed(key, editor.nudge(key, "start", "frame", -1)),
      startLater: (key) => timed(key, editor.nudge(key, "start", "frame", 1)),
      startHere: (key) => timed(key, editor.setAtPlayhead(key, "start")),
      endEarlier: (key) => timed(key, editor.nudge(key, "end", "frame", -1)),
      endLater: (key) => timed(key, editor.nudge(key, "end", "frame", 1)),
      endHere: (key) => timed(key, editor.setAtPlayhead(key, "end")),
      split: (key) => announce(t(outcomeMessage(atCaret(editor.split, key), "cues.done.split", "cues.notHere"))),
      breakLine: (key) => announce(t(outcomeMessage(atCaret(editor.breakAt, key), "cues.done.breakLine", "cues.notHere"))),
      join: (key) => announce(t(outcomeMessage(editor.join(key), "cues.done.join", "cues.noNext"))),
      insert: onInsert,
      byRule: (key) => editor.byRule(key) && announce(t("cues.done.byRule")),
      splitLine: (key) => editor.splitLine(key) && announce(t("cues.done.split")),
      lineTimes: ({ segment }) => onLineTimes(segment),
    };
    return (name, key) => void does[name](key);
  }, [editor, store, onInsert, onLineTimes, t, locale]);
}

/** Where a cue without a caret is split: at the space closest to its middle. */
function middleOf({ segment, from, to }: PlacedCue): number {
  const middle = (from + to) / 2;
  const spaces = [...segment.text.slice(from, to).matchAll(/\s+/g)].map(({ index }) => from + index);
  return spaces.reduce((best, at) => (Math.abs(at - middle) < Math.abs(best - middle) ? at : best), spaces[0] ?? to);
}

interface ToolButtonsProps {
  /** The selected cue; if undefined, the buttons stay in place, disabled. */
  cue: PlacedCue | undefined;
  run: RunTool;
}

export function ToolButtons({ cue, run }: ToolButtonsProps) {
  const { t } = useTranslation("editor");
  return TOOLS.filter(({ menuOnly }) => !menuOnly).map(({ name, icon: Icon, keys, begins, off }) => {
    const isOff = !cue || off?.(cue) === true;
    return (
      <Gap key={name} wanted={begins === true}>
        <IconButton
          label={t(`cues.tools.${name}`)}
          {...(keys && { shortcut: keys })}
          className="size-8! pointer-coarse:size-11!"
          aria-disabled={isOff}
          onClick={() => !isOff && cue && run(name, { segment: cue.segment.id, part: cue.part })}
        >
          <Icon aria-hidden="true" />
        </IconButton>
      </Gap>
    );
  });
}

const Gap = ({ wanted, children }: { wanted: boolean; children: ReactNode }) => (
  <>
    {wanted && <span aria-hidden="true" className="mx-1 h-5 w-px bg-rule" />}
    {children}
  </>
);

/** The tools as menu items. */
export function ToolItems({ cue, run }: { cue: PlacedCue; run: RunTool }) {
  const { t } = useTranslation("editor");
  return TOOLS.map(({ name, icon, begins, off }) => {
    const Icon = MENU_ICONS[name] ?? icon;
    return (
      <span key={name} className="contents">
        {begins && <MenuSeparator />}
        <MenuItem disabled={off?.(cue) === true} onSelect={() => run(name, { segment: cue.segment.id, part: cue.part })}>
          <Icon aria-hidden="true" />
          {t(`cues.tools.${name}`)}
        </MenuItem>
      </span>
    );
  });
}
