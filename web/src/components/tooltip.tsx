/** A name or a shortcut that shows when one points at a control or reaches it by the keyboard. */
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

/** Fetches what tooltips are made of before one is shown. */
export const loadTooltips = bubble.load;

/** Who has just read one tooltip does not wait for that of the control beside it. */
const NEXT_MS = 300;

/** When the last tooltip was closed, by `performance.now()`. */
const LastClosed = createContext<RefObject<number>>({ current: Number.NEGATIVE_INFINITY });

/** Around all controls that one goes along. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return <LastClosed value={useRef(Number.NEGATIVE_INFINITY)}>{children}</LastClosed>;
}

export interface TooltipProps {
  text: string;
  shortcut?: string;
  side?: "top" | "right" | "bottom" | "left";
  /** One element that takes a ref. */
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
            // At once: the focus may leave before React would come to it, and a tooltip that opens after that stays, over
            // whatever was opened meanwhile, and takes its Escape.
            if (fetched && reached.current && currentTarget.matches(":focus-visible")) flushSync(() => setOpen(true));
          },
          // As the library does once it is here: what was pressed needs no tooltip any more.
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
