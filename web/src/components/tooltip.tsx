/** A name or a shortcut that shows when one points at a control or reaches it by the keyboard. */
import { Tooltip as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

const DELAY_MS = 400;

export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Radix.Provider delayDuration={DELAY_MS}>{children}</Radix.Provider>;
}

interface TooltipProps {
  text: string;
  shortcut?: string;
  side?: "top" | "right" | "bottom" | "left";
  /** One element that takes a ref. */
  children: ReactElement;
}

export function Tooltip({ text, shortcut, side = "bottom", children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex animate-fade items-center gap-2 rounded bg-ink px-2.5 py-1.5 text-[0.8125rem] leading-4 text-paper"
        >
          {text}
          {shortcut && <kbd className="figures rounded-sm border border-current/35 px-1 text-[0.6875rem]">{shortcut}</kbd>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
