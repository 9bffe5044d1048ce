/** A control that cannot be used at the moment stays reachable and says why: on pointing, on focus, to a screen reader. */
import type { ReactNode } from "react";
import { Tooltip } from "@/components/tooltip";
import { toast } from "@/lib/toast";

interface ObstacleProps {
  /** Why; null where the control can be used. */
  text: string | null;
  /** For the control's aria-describedby. */
  id: string;
  className?: string;
  children: ReactNode;
}

export function Obstacle({ text, id, className, children }: ObstacleProps) {
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

/** Said when it is tried all the same: a finger finds no tooltip. */
export const sayObstacle = (text: string | null) => {
  if (text !== null) toast.info(text);
};

/** Ids for aria-describedby, of those that are there. */
export const describedBy = (...ids: (string | false | null | undefined)[]): string | undefined =>
  ids.filter(Boolean).join(" ") || undefined;
