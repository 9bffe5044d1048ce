/** Pointer actions on the strip: moves a subtitle or its edge, seeks, or marks the range of a new line. */
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import { MIN_CUE_SECONDS } from "@/rules/constants";
import type { CueEditor } from "./cue-editor";
import { type CueKey, type CueStore, sameCue } from "./cue-store";
import { type AllowedRange, type Grip, gripAt, moved, type Span, secondsOf, snap, type View } from "./geometry";

/** Shorter movements are clicks. */
const DRAG_PX = 3;
/** Shorter marks are ignored, in seconds. */
const MARK_SECONDS = 0.15;

interface Drag {
  x: number;
  /** The second under the pointer: the strip may scroll to show the whole pressed block. */
  second: number;
  begun: boolean;
  touch: boolean;
  from: number;
  /** The marked range for a new line. */
  mark: Span | null;
  cue: { key: CueKey; grip: Grip; span: Span; room: AllowedRange & { places: number[] } } | null;
}

interface StripDragParts {
  box: RefObject<HTMLElement | null>;
  view: View;
  store: CueStore;
  editor: CueEditor;
  editable: boolean;
  onSeek: (seconds: number) => void;
  onPan: (from: number) => void;
  onMoved: (key: CueKey, span: Span) => void;
  onMark: (span: Span) => void;
}

export function useStripDrag({ box, view, store, editor, editable, onSeek, onPan, onMoved, onMark }: StripDragParts) {
  const drag = useRef<Drag | null>(null);
  const [mark, setMark] = useState<Span | null>(null);
  const xOfEvent = (event: { clientX: number }) => event.clientX - (box.current?.getBoundingClientRect().left ?? 0);

  const end = () => {
    drag.current = null;
    setMark(null);
    store.setState({ moving: null });
  };

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "Escape" && drag.current) {
        event.preventDefault();
        drag.current = null;
        setMark(null);
        store.setState({ moving: null });
      }
    };
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  }, [store]);

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || !(event.target instanceof Element)) {
      return;
    }
    const block = event.target.closest<HTMLElement>("[data-cue]");
    const { segment, part } = block?.dataset ?? {};
    const key = segment !== undefined ? { segment, part: Number(part) } : null;
    const cue = key && editor.cue(key);
    let gripped: Drag["cue"] = null;
    const touch = event.pointerType === "touch";
    if (block && key && cue) {
      // A finger that scrolls the strip must not move the block it touches.
      const mayMove = editable && (!touch || sameCue(store.getState().chosen, key));
      store.choose(key);
      if (mayMove) {
        const { left, width } = block.getBoundingClientRect();
        const span = { start: cue.start, end: cue.end };
        gripped = { key, grip: gripAt(event.clientX - left, width), span, room: editor.room(key) };
      }
    }
    const x = xOfEvent(event);
    drag.current = { x, second: secondsOf(view, x), begun: false, touch, from: view.from, mark: null, cue: gripped };
  };

  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (event.buttons === 0) {
      // Released outside.
      drag.current = null;
    }
    const current = drag.current;
    const by = current ? xOfEvent(event) - current.x : 0;
    if (!current || (!current.begun && Math.abs(by) < DRAG_PX)) {
      return;
    }
    if (!current.begun) {
      current.begun = true;
      // Not earlier, because a click must reach the block.
      event.currentTarget.setPointerCapture(event.pointerId);
    }
    if (current.cue) {
      const { grip, span, room } = current.cue;
      const seconds = by / view.scale;
      const target = moved(span, grip, seconds, room, MIN_CUE_SECONDS);
      const more = event.altKey ? 0 : snap(target, grip, room.places, view.scale);
      store.setState({ moving: moved(span, grip, seconds + more, room, MIN_CUE_SECONDS) });
    } else if (current.touch || !editable) {
      onPan(current.from - by / view.scale);
    } else {
      const [one, other] = [secondsOf(view, current.x), secondsOf(view, current.x + by)];
      current.mark = { start: Math.max(0, Math.min(one, other)), end: Math.max(one, other) };
      setMark(current.mark);
    }
  };

  const onPointerUp = () => {
    const current = drag.current;
    const { moving } = store.getState();
    end();
    if (!current) {
      return;
    }
    if (!current.begun) {
      onSeek(current.second);
    } else if (current.cue && moving) {
      onMoved(current.cue.key, moving);
    } else if (current.mark && current.mark.end - current.mark.start >= MARK_SECONDS) {
      onMark(current.mark);
    }
  };

  return {
    mark,
    pressed: () => drag.current !== null,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: end },
  };
}
