/** The colour of a tag or a folder, as an icon beside its name. */
import { Folder, Tag } from "lucide-react";
import type { GroupKind } from "@/api/groups";
import { cx } from "@/lib/class-names";

/** The hues of the speakers, which work in both themes and for colour-blind users. */
const COLORS = [
  "text-speaker-0",
  "text-speaker-1",
  "text-speaker-2",
  "text-speaker-3",
  "text-speaker-4",
  "text-speaker-5",
  "text-speaker-6",
  "text-speaker-7",
] as const;

export const COLOR_NUMBERS = COLORS.map((_, number) => number);

export function GroupSign({ kind, color, className }: { kind: GroupKind; color: number; className?: string }) {
  const Sign = kind === "tags" ? Tag : Folder;
  return <Sign aria-hidden="true" className={cx("size-4 shrink-0 fill-current/25", COLORS[color] ?? COLORS[0], className)} />;
}
