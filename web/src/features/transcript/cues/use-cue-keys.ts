/** Keyboard shortcuts for subtitles, as listed in the help sheet. */
import { useEffect, useEffectEvent } from "react";
import { combosOf, type Shortcut } from "@/domain/transcript/shortcuts";
import type { CueStore } from "./cue-store";
import type { RunTool } from "./tools";

const START: Shortcut = { group: "subtitles", label: "editor:cues.keys.startHere", combos: ["Alt+["], typing: ["Alt+["] };
const END: Shortcut = { group: "subtitles", label: "editor:cues.keys.endHere", combos: ["Alt+]"], typing: ["Alt+]"] };

/** Keys of fields and blocks are handled there. */
export const CUE_SHORTCUTS: readonly Shortcut[] = [
  { group: "subtitles", label: "editor:cues.keys.split", combos: [], typing: ["Alt+Enter"] },
  { group: "subtitles", label: "editor:cues.keys.breakLine", combos: [], typing: ["Shift+Enter"] },
  START,
  END,
  { group: "subtitles", label: "editor:cues.keys.nudge", combos: [], typing: ["ArrowUp", "ArrowDown"] },
  { group: "subtitles", label: "editor:cues.keys.nudgeTenth", combos: [], typing: ["Shift+ArrowUp", "Shift+ArrowDown"] },
  { group: "subtitles", label: "editor:cues.keys.moveBlock", combos: ["ArrowLeft", "ArrowRight"] },
  { group: "subtitles", label: "editor:cues.keys.blockStart", combos: ["[", "]"] },
  { group: "subtitles", label: "editor:cues.keys.blockEnd", combos: ["{", "}"] },
  { group: "subtitles", label: "editor:cues.keys.otherBlock", combos: ["ArrowUp", "ArrowDown"] },
  { group: "subtitles", label: "editor:cues.keys.zoom", combos: ["+", "-"] },
  { group: "subtitles", label: "editor:cues.keys.nextOver", combos: ["F8"], typing: ["F8"] },
  { group: "subtitles", label: "editor:cues.keys.previousOver", combos: ["Shift+F8"], typing: ["Shift+F8"] },
];

interface CueKeysParts {
  store: CueStore;
  run: RunTool;
  editable: boolean;
  onOver: (step: 1 | -1) => void;
}

export function useCueKeys({ store, run, editable, onOver }: CueKeysParts): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || (event.target instanceof Element && event.target.closest("[role='dialog']"))) {
      return;
    }
    const pressed = combosOf(event);
    const hears = (combo: string) => pressed.includes(combo);
    const { chosen } = store.getState();
    if (hears("F8") || hears("Shift+F8")) {
      event.preventDefault();
      onOver(event.shiftKey ? -1 : 1);
    } else if (chosen && editable && (hears("Alt+[") || hears("Alt+]"))) {
      event.preventDefault();
      run(hears("Alt+[") ? "startHere" : "endHere", chosen);
    }
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => handleKey(event);
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
