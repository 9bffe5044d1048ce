/** Where the controls are that a step is about, and where the step's own mark stands, frame by frame: much can move them. */
import { type RefObject, useLayoutEffect, useState } from "react";
import { scrollBehavior } from "@/lib/scroll-behavior";
import { type Box, isSameBox, placeBeside } from "./place";

interface Marks {
  /** Of the controls that are on the page. */
  rings: readonly Box[];
  /** Of the mark. */
  at: { left: number; top: number };
}

/** Says of an element that steps of the tour are about it. */
const found = (name: string) => document.querySelector<HTMLElement>(`[data-tour="${name}"]`);

export function useMarks(names: readonly string[], mark: RefObject<HTMLElement | null>): Marks | null {
  const [marks, setMarks] = useState<Marks | null>(null);
  useLayoutEffect(() => {
    let frame = 0;
    const look = () => {
      const next = marksNow(names, mark.current);
      setMarks((before) => (before && isSame(before, next) ? before : next));
      frame = requestAnimationFrame(look);
    };
    bringIn(names);
    look();
    return () => cancelAnimationFrame(frame);
  }, [names, mark]);
  return marks;
}

function marksNow(names: readonly string[], mark: HTMLElement | null): Marks {
  const rings = names.flatMap((name) => {
    const box = found(name)?.getBoundingClientRect();
    return box && box.width > 0 && box.height > 0 ? [boxOf(box)] : [];
  });
  const size = { width: mark?.offsetWidth ?? 0, height: mark?.offsetHeight ?? 0 };
  return { rings, at: placeBeside(rings, size, { width: window.innerWidth, height: window.innerHeight }) };
}

/** The first one is brought into the window if it is not there. */
function bringIn(names: readonly string[]): void {
  const first = names.map(found).find((element) => element !== null && element.getBoundingClientRect().width > 0);
  const box = first?.getBoundingClientRect();
  // What lies under the bar at the top is not in view.
  const under = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
  if (first && box && (box.top < under || box.bottom > window.innerHeight)) {
    first.scrollIntoView({ block: "center", behavior: scrollBehavior() });
  }
}

const boxOf = ({ left, top, width, height }: Box): Box => ({ left, top, width, height });

const isSame = (one: Marks, other: Marks) =>
  one.at.left === other.at.left &&
  one.at.top === other.at.top &&
  one.rings.length === other.rings.length &&
  one.rings.every((ring, index) => {
    const beside = other.rings[index];
    return beside !== undefined && isSameBox(ring, beside);
  });
