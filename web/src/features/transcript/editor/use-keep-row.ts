/** Renders the segment with the caret when the caret moves to one far outside of the window. */
import { useLayoutEffect } from "react";
import type { Workspace } from "../workspace";

export function useKeepRow({ document: text, writing }: Workspace, bringIn: (segment: number) => void): void {
  const id = writing?.id ?? null;
  useLayoutEffect(() => {
    const position = id === null ? undefined : text.getState().positions.get(id);
    const field = document.querySelector("[data-testid='segment-editor']");
    if (position === undefined || !field) {
      return;
    }
    const { top } = field.getBoundingClientRect();
    if (top < 0 || top > window.innerHeight) {
      bringIn(position);
    }
  }, [id, text, bringIn]);
}
