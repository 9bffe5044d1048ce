/**
 * Virtualised rows that scroll with the page. Long lists render only those near the window; shorter lists are rendered
 * in full, so that the browser's own search and screen readers find everything.
 */
import { useWindowVirtualizer, type Virtualizer, windowScroll } from "@tanstack/react-virtual";
import { type ReactNode, type Ref, useCallback, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";
import { scrollBehavior } from "@/lib/scroll-behavior";
import { pageScrolls } from "./page-scroll";

/** Up to this count every row is rendered; beyond, those within the window and this many around it. */
export const WHOLE_ROWS = 250;
const OVERSCAN_ROWS = 5;

export interface WindowRowsHandle {
  /** Scrolls the row to the middle of the window; `instant` if the caller scrolls further within it. */
  scrollToRow: (position: number, instant?: boolean) => void;
}

interface WindowRowsProps {
  count: number;
  /** Height in px assumed for a row that is not measured yet. */
  estimate: (position: number) => number;
  /** The stable key of a row, independent of its position. */
  keyOf: (position: number) => string | number;
  /** Changes identity when rows are added, removed or moved: only then all of them are laid out again. */
  order: unknown;
  row: (position: number) => ReactNode;
  /** Rows that stay mounted wherever the window is: the one with the focus. */
  kept?: number | undefined;
  /** Called after rows were mounted or unmounted. */
  onRendered?: (() => void) | undefined;
  /** ARIA roles of the list and its rows. */
  role?: "list" | "rowgroup" | undefined;
  ref?: Ref<WindowRowsHandle>;
}

export function WindowRows({ count, estimate, keyOf, order, row, kept, onRendered, role, ref }: WindowRowsProps) {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const latest = useRef(keyOf);
  latest.current = keyOf;
  // The virtualizer lays all rows out again whenever this function changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another order gives other keys
  const getItemKey = useCallback((position: number) => latest.current(position), [order]);
  const virtualizer = useWindowVirtualizer({
    count,
    // A short delay of rows is not visible; two renders in one frame are.
    useFlushSync: false,
    overscan: count <= WHOLE_ROWS ? WHOLE_ROWS : OVERSCAN_ROWS,
    scrollMargin: top,
    scrollToFn: (offset, options, instance) => {
      pageScrolls.own();
      windowScroll(offset, options, instance);
    },
    estimateSize: estimate,
    measureElement: heightOf,
    getItemKey,
    rangeExtractor: ({ startIndex, endIndex, overscan, count: all }) => {
      const from = Math.max(0, startIndex - overscan);
      const to = Math.min(all - 1, endIndex + overscan);
      const rows = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
      if (kept !== undefined && kept >= 0 && kept < all && (kept < from || kept > to)) {
        rows.splice(kept < from ? 0 : rows.length, 0, kept);
      }
      return rows;
    },
  });

  useLayoutEffect(() => {
    const measure = () => {
      if (list.current) {
        setTop(Math.round(list.current.getBoundingClientRect().top + window.scrollY));
      }
    };
    measure();
    // The height of the content above the rows changes while a job runs.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => onRendered?.());

  useImperativeHandle(ref, () => ({
    scrollToRow: (position, instant = false) =>
      virtualizer.scrollToIndex(position, {
        align: "center",
        behavior: instant || count > WHOLE_ROWS ? "auto" : scrollBehavior(),
      }),
  }));

  const items = virtualizer.getVirtualItems();
  // Rows are in normal flow, after a spacer for those that are not rendered: if a row's height was estimated wrongly,
  // the rows below it move by themselves. A kept row far away is positioned separately.
  const isApart = (at: number) => {
    const beside = items[at + 1] ?? items[at - 1];
    return items[at]?.index === kept && beside !== undefined && Math.abs(beside.index - (kept ?? 0)) > 1;
  };
  const first = items.find((_, at) => !isApart(at));
  return (
    <div
      ref={list}
      role={role}
      // The virtualizer corrects the scroll position; the browser must not do so again.
      className="relative w-full [overflow-anchor:none]"
      style={{ height: virtualizer.getTotalSize(), paddingTop: (first?.start ?? top) - top }}
    >
      {items.map((item, at) => (
        <div
          key={item.key}
          ref={virtualizer.measureElement}
          data-index={item.index}
          role={role === "list" ? "listitem" : undefined}
          {...(role === "rowgroup" && { role: "presentation" })}
          className={isApart(at) ? "absolute top-0 left-0 w-full" : "flow-root w-full"}
          style={isApart(at) ? { transform: `translateY(${item.start - top}px)` } : undefined}
        >
          {row(item.index)}
        </div>
      ))}
    </div>
  );
}

/** Fractions of a pixel matter: heights of consecutive rows add up. */
function heightOf(
  element: Element,
  entry: ResizeObserverEntry | undefined,
  { itemSizeCache, indexFromElement, options }: Virtualizer<Window, Element>,
): number {
  const measured = entry?.borderBoxSize[0]?.blockSize;
  // A row that is mounted again keeps its last height; its observer corrects it if needed.
  return measured ?? itemSizeCache.get(options.getItemKey(indexFromElement(element))) ?? element.getBoundingClientRect().height;
}
