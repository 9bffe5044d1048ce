/** A subtitle on the strip: its edges and its body can be dragged, or moved with keys. */
import { type KeyboardEvent, type MouseEvent, memo } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { MIN_CUE_SECONDS } from "@/rules/constants";
import type { PlacedCue } from "../tabs/cues";
import { type CueEditor, frameRate } from "./cue-editor";
import { type CueStore, sameCue } from "./cue-store";
import { formatTime, nudgeSeconds } from "./cue-time";
import { type Grip, moved, type Span, type View, xOf } from "./geometry";

/** Minimum width for pointers and fingers in pixels, however short the subtitle is. */
const MIN_PX = 24;

interface CueBlockProps {
  cue: PlacedCue;
  number: string;
  view: View;
  chosen: boolean;
  /** Only one of all blocks is a tab stop. */
  reachable: boolean;
  over: boolean;
  editable: boolean;
  /** Language of the text. */
  language: string;
  store: CueStore;
  editor: CueEditor;
  onMoved: (span: Span) => void;
  onBeside: (step: 1 | -1) => void;
  onChoose: () => void;
  onOpen: () => void;
}

export const CueBlock = memo(function CueBlock(props: CueBlockProps) {
  const { cue, number, view, chosen, reachable, over, editable, store, editor } = props;
  const { language, onMoved, onBeside, onChoose, onOpen } = props;
  const { t } = useTranslation("editor");
  const locale = useLocale();
  // Its position while it is moved; the other blocks are not rendered again for that.
  const moving = useStore(store, (state) => (chosen ? state.moving : null));
  const { start, end } = moving ?? cue;
  const left = xOf(view, start);
  const width = Math.max((end - start) * view.scale, chosen || reachable ? MIN_PX : 3);
  const key = { segment: cue.segment.id, part: cue.part };
  const times = { start: formatTime(start, locale), end: formatTime(end, locale) };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      onBeside(event.key === "ArrowUp" ? -1 : 1);
      return;
    }
    const pressed = keyOfBlock(event);
    if (!pressed || !editable) {
      return;
    }
    event.preventDefault();
    if (!chosen) {
      onChoose();
    }
    // While a key is held, it is a single movement and a single undo step.
    const from = (sameCue(store.getState().chosen, key) ? store.getState().moving : null) ?? { start: cue.start, end: cue.end };
    const by = nudgeSeconds(pressed.tenth ? "tenth" : "frame", frameRate());
    store.setState({ moving: moved(from, pressed.grip, pressed.direction * by, editor.room(key), MIN_CUE_SECONDS) });
  };
  const release = () => {
    const { chosen: chosenCue, moving: target } = store.getState();
    if (target && sameCue(chosenCue, key)) {
      onMoved(target);
    }
  };
  const onClick = (event: MouseEvent) => {
    // A click selects it; Enter moves on to its text.
    if (event.detail === 0) {
      onChoose();
      onOpen();
    }
  };

  return (
    <button
      type="button"
      data-cue=""
      data-segment={cue.segment.id}
      data-part={cue.part}
      data-testid="cue-block"
      aria-pressed={chosen}
      aria-label={t(over ? "cues.blockOver" : "cues.block", { number, ...times, text: cue.lines.join(" ") })}
      aria-describedby={editable ? BLOCK_KEYS_ID : undefined}
      tabIndex={reachable ? 0 : -1}
      onKeyDown={onKeyDown}
      onKeyUp={(event) => keyOfBlock(event) && release()}
      onBlur={() => chosen && release()}
      onFocus={onChoose}
      onClick={onClick}
      onDoubleClick={onOpen}
      style={{ left, width }}
      className={cx(
        "absolute inset-y-[1.125rem] bottom-0.5 overflow-hidden rounded border text-left -outline-offset-2",
        chosen ? "z-[1] border-2 border-accent bg-accent-wash/55" : "border-edge bg-paper-sunk/55",
        over && !chosen && "border-bad",
        editable && "cursor-grab active:cursor-grabbing",
      )}
    >
      {editable && width >= MIN_PX && (
        <>
          <span className="absolute inset-y-0 left-0 w-2 cursor-ew-resize" />
          <span className="absolute inset-y-0 right-0 w-2 cursor-ew-resize" />
        </>
      )}
      <span
        lang={language}
        className={cx(
          "absolute inset-x-0 bottom-0 block truncate px-1 font-serif text-xs leading-4",
          over ? "bg-bad-wash text-bad" : "bg-paper-raised text-ink",
        )}
      >
        {cue.lines.join(" ")}
      </span>
    </button>
  );
});

/** Id of the text that describes the keys of a block. */
export const BLOCK_KEYS_ID = "cue-block-keys";

interface BlockKey {
  grip: Grip;
  direction: 1 | -1;
  tenth: boolean;
}

/**
 * The arrow keys move the whole block, square brackets its start, with Shift its end; by the physical key, independent
 * of the layout.
 */
function keyOfBlock({ key, code, shiftKey }: Pick<KeyboardEvent, "key" | "code" | "shiftKey">): BlockKey | null {
  if (key === "ArrowLeft" || key === "ArrowRight") {
    return { grip: "body", direction: key === "ArrowLeft" ? -1 : 1, tenth: shiftKey };
  }
  if (code === "BracketLeft" || code === "BracketRight") {
    return {
      grip: shiftKey || key === "{" || key === "}" ? "end" : "start",
      direction: code === "BracketLeft" ? -1 : 1,
      tenth: false,
    };
  }
  return null;
}
