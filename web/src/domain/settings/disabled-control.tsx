/**
 * A disabled control that stays focusable and explains why it is disabled: on hover, on focus, and to screen readers.
 */
import type { ReactNode } from "react";
import { Tooltip } from "@/components/tooltip";
import { toast } from "@/lib/toast";

interface ObstacleProps {
  /** The reason; null if the control is enabled. */
  text: string | null;
  /** Id for the control's aria-describedby. */
  id: string;
  className?: string;
  children: ReactNode;
}

export function DisabledControl({ text, id, className, children }: ObstacleProps) {
  if (text === null) return children;
  return (
    <>
      <Tooltip text={text} side="top">
        <div className={className}>{children}</div>
      </Tooltip>
      <span id={id} className="sr-only">
        {text}
      </span>
    </>
  );
}

/** Shown when a disabled control is used anyway: touch users get no tooltip. */
export const showDisabledReason = (text: string | null) => {
  if (text !== null) toast.info(text);
};

/** Joins the given ids for aria-describedby. */
export const describedBy = (...ids: (string | false | null | undefined)[]): string | undefined =>
  ids.filter(Boolean).join(" ") || undefined;
