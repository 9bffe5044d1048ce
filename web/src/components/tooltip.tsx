/** A label or a shortcut, shown when a control is hovered or focused by keyboard. */
import {
  createContext,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  use,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { createPart, usePart } from "@/lib/part";
import { useRemoteTrigger } from "./remote-trigger";

const bubble = createPart(async () => (await import("./tooltip-bubble")).TooltipBubble);

/** Preloads the code of tooltips. */
export const loadTooltips = bubble.load;

/** After one tooltip, the next one appears without delay, within this time in ms. */
const NEXT_MS = 300;

/** Time when the last tooltip was closed, by `performance.now()`. */
const LastClosed = createContext<RefObject<number>>({ current: Number.NEGATIVE_INFINITY });

/** Wraps controls between which the pointer moves. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return <LastClosed value={useRef(Number.NEGATIVE_INFINITY)}>{children}</LastClosed>;
}

export interface TooltipProps {
  text: string;
  shortcut?: string;
  side?: "top" | "right" | "bottom" | "left";
  /** A single element that accepts a ref. */
  children: ReactElement;
}

export function Tooltip({ children, ...shown }: TooltipProps) {
  const Bubble = usePart(bubble);
  const [open, setOpen] = useState(false);
  const lastClosed = use(LastClosed);
  const pointed = useRef(false);
  const reached = useRef(false);
  const { "aria-describedby": describedBy } = children.props as { "aria-describedby"?: string };
  const fetch = () => loadTooltips().catch(() => undefined);

  const change = (next: boolean) => {
    if (!next) lastClosed.current = performance.now();
    setOpen(next);
  };
  const { drawn, remote } = useRemoteTrigger(
    children,
    Bubble
      ? {
          onPointerMove: (event: PointerEvent) => {
            const first = !pointed.current && event.pointerType !== "touch";
            pointed.current ||= first;
            if (first && performance.now() - lastClosed.current < NEXT_MS) setOpen(true);
          },
          onPointerLeave: () => {
            pointed.current = false;
          },
        }
      : {
          onPointerEnter: fetch,
          onFocus: async ({ currentTarget }: FocusEvent) => {
            reached.current = true;
            const fetched = await fetch();
            // Checked at once: the focus may leave before React re-renders, and a tooltip opened after that would stay
            // open over other content and take its Escape key.
            if (fetched && reached.current && currentTarget.matches(":focus-visible")) flushSync(() => setOpen(true));
          },
          // Like the library's tooltip: a pressed control needs no tooltip any more.
          onClick: () => {
            reached.current = false;
          },
          onBlur: () => {
            reached.current = false;
          },
        },
  );
  return (
    <>
      {drawn}
      {Bubble && <Bubble {...shown} remote={remote} describedBy={describedBy} open={open} onOpenChange={change} />}
    </>
  );
}
