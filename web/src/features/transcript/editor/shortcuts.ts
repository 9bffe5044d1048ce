/** The keyboard shortcuts of the workspace, as listed in the help sheet. */
import type { Shortcut } from "@/domain/transcript/shortcuts";

/** Inserts the player's time at the caret. */
export const STAMP_COMBO = "Alt+T";

/** The group of editing. `typing`: shortcuts inside of the segment being edited. */
export const EDITOR_SHORTCUTS: readonly Shortcut[] = [
  { group: "editing", label: "editor:shortcuts.edit", combos: ["F2"] },
  { group: "editing", label: "editor:shortcuts.split", combos: [], typing: ["Enter"] },
  { group: "editing", label: "editor:shortcuts.merge", combos: [], typing: ["Backspace"] },
  { group: "editing", label: "editor:shortcuts.remove", combos: [], typing: ["Mod+Shift+Backspace"] },
  { group: "editing", label: "editor:shortcuts.done", combos: [], typing: ["Mod+Enter"] },
  { group: "editing", label: "editor:shortcuts.cancel", combos: [], typing: ["Escape"] },
  // Shift+Tab leaves the field as usual, so that the focus is not trapped.
  { group: "editing", label: "editor:shortcuts.play", combos: [], typing: ["Tab"] },
  { group: "editing", label: "editor:shortcuts.speaker", combos: [], typing: ["Alt+1", "Alt+9"] },
  { group: "editing", label: "editor:shortcuts.stamp", combos: [], typing: [STAMP_COMBO] },
  { group: "editing", label: "editor:shortcuts.undo", combos: ["Mod+Z"], typing: ["Mod+Z"] },
  { group: "editing", label: "editor:shortcuts.redo", combos: ["Mod+Shift+Z", "Mod+Y"], typing: ["Mod+Shift+Z", "Mod+Y"] },
  { group: "editing", label: "editor:shortcuts.replace", combos: ["Mod+H"], typing: ["Mod+H"] },
  { group: "editing", label: "editor:shortcuts.nextUnsure", combos: ["F8"], typing: ["F8"] },
  { group: "editing", label: "editor:shortcuts.previousUnsure", combos: ["Shift+F8"], typing: ["Shift+F8"] },
  { group: "editing", label: "editor:shortcuts.confirm", combos: ["F9"], typing: ["F9"] },
];
