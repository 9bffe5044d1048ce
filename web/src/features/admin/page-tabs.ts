/** Class names of the tabs of a page, for `TabList`. */
export const PAGE_TABS = {
  className: "flex gap-6 overflow-x-auto border-b-2 border-ink",
  tabClassName:
    "min-h-10 shrink-0 border-b-[3px] border-transparent -outline-offset-2 text-ink-soft hover:text-ink aria-selected:border-accent aria-selected:font-strong aria-selected:text-ink pointer-coarse:min-h-11",
} as const;
