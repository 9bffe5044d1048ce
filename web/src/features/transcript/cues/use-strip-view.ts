/** The visible part of the recording on the strip: it follows playback and the selected subtitle. */
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from "react";
import type { PlayerStore } from "@/domain/transcript/player-store";
import { clampView, endOf, following, revealing, SCALE_START, type View, xOf, zoomed } from "./geometry";

export interface StripView {
  view: View;
  zoom: (steps: number, x?: number) => void;
  /** By the given number of strip widths. */
  pan: (pages: number) => void;
  panTo: (from: number) => void;
  reveal: (start: number, end: number) => void;
}

interface StripViewParts {
  box: RefObject<HTMLElement | null>;
  playhead: RefObject<HTMLElement | null>;
  player: PlayerStore;
  duration: number;
  /** Whether something is being dragged: then the strip does not scroll. */
  held: () => boolean;
}

export function useStripView({ box, playhead, player, duration, held }: StripViewParts): StripView {
  const [view, setView] = useState<View>(() => ({ from: 0, scale: SCALE_START, width: 0 }));

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) {
      return;
    }
    const measure = () =>
      setView((current) => {
        const next = { ...current, width: element.clientWidth };
        const { time } = player.getState();
        // Initially the playback position is visible.
        return current.width === 0 ? revealing(clampView(next, duration), time, time, duration) : clampView(next, duration);
      });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, player, duration]);

  const zoom = (steps: number, x?: number) =>
    setView((current) => {
      const at = xOf(current, player.getState().time);
      // By a button: around the playback position if it is visible, else around the middle.
      return zoomed(current, steps, x ?? (at >= 0 && at <= current.width ? at : current.width / 2), duration);
    });
  const pan = (pages: number) =>
    setView((current) => clampView({ ...current, from: current.from + (pages * current.width) / current.scale }, duration));

  const onWheel = useEffectEvent((event: WheelEvent) => {
    const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      zoom(event.deltaY < 0 ? 1 : -1, event.clientX - (box.current?.getBoundingClientRect().left ?? 0));
    } else if (Math.abs(sideways) > Math.abs(event.deltaY) || (event.shiftKey && sideways !== 0)) {
      event.preventDefault();
      setView((current) => clampView({ ...current, from: current.from + sideways / current.scale }, duration));
    }
  });
  useEffect(() => {
    const element = box.current;
    const listener = (event: WheelEvent) => onWheel(event);
    // React's listeners are passive, so the browser would zoom the page as well.
    element?.addEventListener("wheel", listener, { passive: false });
    return () => element?.removeEventListener("wheel", listener);
  }, [box]);

  useLayoutEffect(() => {
    let { seeks } = player.getState();
    const isVisible = (time: number) => time >= view.from && time <= endOf(view);
    let wasVisible = isVisible(player.getState().time);
    const follow = () => {
      const state = player.getState();
      const x = xOf(view, state.time);
      if (playhead.current) {
        playhead.current.style.transform = `translateX(${x}px)`;
        playhead.current.style.visibility = x < 0 || x > view.width ? "hidden" : "visible";
      }
      const hasLeft = wasVisible && !isVisible(state.time);
      wasVisible = isVisible(state.time);
      // A reader who has scrolled away during playback stays there.
      if ((hasLeft || state.seeks !== seeks) && !held()) {
        seeks = state.seeks;
        setView((current) => following(current, state.time, duration));
      }
    };
    follow();
    return player.subscribe(follow);
  }, [player, playhead, view, duration, held]);

  return {
    view,
    zoom,
    pan,
    panTo: (from) => setView((current) => clampView({ ...current, from }, duration)),
    reveal: (start, end) => setView((current) => revealing(current, start, end, duration)),
  };
}
