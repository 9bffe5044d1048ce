/** Keyboard shortcuts for bookmarks and highlights, as listed in the help sheet. */
import { useEffect, useEffectEvent } from "react";
import { isHandledElsewhere } from "@/domain/transcript/player-keys";
import { playerPreferences } from "@/domain/transcript/player-preferences";
import { combosOf, type Shortcut } from "@/domain/transcript/shortcuts";
import type { Annotations } from "./use-annotations";

const HIGHLIGHT: Shortcut = {
  group: "editing",
  label: "editor:annotations.highlightKey",
  combos: ["H"],
  typing: ["Alt+H"],
};
const BOOKMARK: Shortcut = {
  group: "editing",
  label: "editor:annotations.bookmarkKey",
  combos: ["M"],
  typing: ["Alt+M"],
};

export const ANNOTATION_SHORTCUTS: readonly Shortcut[] = [HIGHLIGHT, BOOKMARK];

export function useAnnotationKeys(annotations: Annotations | null): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || !annotations) {
      return;
    }
    const pressed = combosOf(event);
    for (const { combos, typing = [] } of ANNOTATION_SHORTCUTS) {
      const whileTyping = typing.some((combo) => pressed.includes(combo));
      const letter = combos.some((combo) => pressed.includes(combo)) && playerPreferences.getState().letterKeys;
      const press = { command: { kind: "loop" }, whileTyping, character: !whileTyping } as const;
      if ((whileTyping || letter) && !isHandledElsewhere(event.target, press, event.key)) {
        event.preventDefault();
        if (combos === HIGHLIGHT.combos) {
          annotations.highlight();
        } else {
          annotations.bookmark();
        }
        return;
      }
    }
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => handleKey(event);
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
