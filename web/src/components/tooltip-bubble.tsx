/** The content of a tooltip; see tooltip.tsx. */
import { Tooltip as Radix } from "radix-ui";
import { type RemoteTrigger, WiredTrigger } from "./remote-trigger";
import type { TooltipProps } from "./tooltip";

/** Delay before it appears, in ms. */
const DELAY_MS = 400;

interface TooltipBubbleProps extends Omit<TooltipProps, "children"> {
  remote: RemoteTrigger;
  /** The control's existing description. */
  describedBy: string | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function TooltipBubble({ text, shortcut, side = "bottom", remote, describedBy, open, onOpenChange }: TooltipBubbleProps) {
  return (
    <Radix.Provider delayDuration={DELAY_MS}>
      <Radix.Root open={open} onOpenChange={onOpenChange}>
        <Radix.Trigger asChild {...(describedBy && { "aria-describedby": describedBy })}>
          <WiredTrigger remote={remote} />
        </Radix.Trigger>
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
    </Radix.Provider>
  );
}
