/**
 * Positions of the elements that a step explains and of its card, updated every frame, because many things can move
 * them.
 */
import { type RefObject, useLayoutEffect, useState } from "react";
import { PLAYER_ATTRIBUTE } from "@/domain/transcript/page-scroll";
import { scrollBehavior } from "@/lib/scroll-behavior";
import { type Box, isSameBox, type PlacementContext, placeBeside, scrollToMakeRoom } from "./place";

interface Marks {
  /** Of the elements that are on the page. */
  rings: readonly Box[];
  /** Position of the card. */
  at: { left: number; top: number };
}

/** The page's heading: no step explains it, and no card covers it if there is another position. */
const HEAD = "head";

/** Additional height of the page for a card; see `Columns` and `Beside`. */
const ROOM = "--tour-room";

/** Marks an element as explained by steps of the tour. */
const elementOf = (name: string) => document.querySelector<HTMLElement>(`[data-tour="${name}"]`);

export function useMarks(names: readonly string[], mark: RefObject<HTMLElement | null>): Marks | null {
  const [marks, setMarks] = useState<Marks | null>(null);
  useLayoutEffect(() => {
    let frame = 0;
    const look = () => {
      const next = currentMarks(names, mark.current);
      setMarks((before) => (before && isSame(before, next) ? before : next));
      frame = requestAnimationFrame(look);
    };
    if (!bringIn(names)) makeRoom(names, mark.current);
    look();
    return () => cancelAnimationFrame(frame);
  }, [names, mark]);
  useLayoutEffect(
    () => () => {
      document.documentElement.style.removeProperty(ROOM);
    },
    [],
  );
  return marks;
}

function currentMarks(names: readonly string[], mark: HTMLElement | null): Marks {
  const around = surroundings(names);
  return { rings: around.about, at: placeBeside(around, sizeOf(mark)) };
}

function surroundings(names: readonly string[]): PlacementContext {
  const dock = document.querySelector(`[${PLAYER_ATTRIBUTE}]`)?.getBoundingClientRect();
  const height = Math.min(window.innerHeight, dock && dock.height > 0 ? dock.top : window.innerHeight);
  return { about: boxesOf(names), clear: boxesOf([HEAD]), view: { width: window.innerWidth, height } };
}

/**
 * Scrolls the page as far as the card needs, after extending it if necessary. Instantly, so that the card does not
 * jump.
 */
function makeRoom(names: readonly string[], mark: HTMLElement | null): void {
  const scrolling = names.filter((name) => elementOf(name)?.closest(`[${PLAYER_ATTRIBUTE}]`) === null);
  const room = scrollToMakeRoom(surroundings(names), boxesOf(scrolling), sizeOf(mark), headerEnd());
  if (room <= 0) return;
  const { documentElement: page } = document;
  let longer = 0;
  // The first pixels only fill what the window has left.
  for (let tries = 0; tries < 2; tries += 1) {
    longer += Math.max(0, room - (page.scrollHeight - window.innerHeight - window.scrollY));
    page.style.setProperty(ROOM, `${Math.ceil(longer)}px`);
  }
  window.scrollBy({ top: room, behavior: "instant" });
}

const sizeOf = (mark: HTMLElement | null) => ({ width: mark?.offsetWidth ?? 0, height: mark?.offsetHeight ?? 0 });

/** Boxes of the elements that are on the page. */
const boxesOf = (names: readonly string[]): Box[] =>
  names.flatMap((name) => {
    const box = elementOf(name)?.getBoundingClientRect();
    return box && box.width > 0 && box.height > 0 ? [boxOf(box)] : [];
  });

/** The area under the header is not visible. */
const headerEnd = () => document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;

/** Scrolls the first element into view if necessary; returns whether the page scrolls. */
function bringIn(names: readonly string[]): boolean {
  const first = names.map(elementOf).find((element) => element !== null && element.getBoundingClientRect().width > 0);
  const box = first?.getBoundingClientRect();
  if (!first || !box || (box.top >= headerEnd() && box.bottom <= window.innerHeight)) return false;
  first.scrollIntoView({ block: "center", behavior: scrollBehavior() });
  return true;
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
