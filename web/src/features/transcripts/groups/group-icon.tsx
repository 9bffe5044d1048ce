/** An icon in the colour of a tag or a folder, shown beside its name. */
import { Folder, Tag } from "lucide-react";
import type { GroupKind } from "@/api/groups";
import { colourOf } from "@/domain/transcript/speakers";
import { cx } from "@/lib/class-names";
import { SPEAKER_COLORS } from "@/rules/constants";

export const COLOR_NUMBERS: readonly number[] = Array.from({ length: SPEAKER_COLORS }, (_, number) => number);

export function GroupIcon({ kind, color, className }: { kind: GroupKind; color: number; className?: string }) {
  const Sign = kind === "tags" ? Tag : Folder;
  return (
    <Sign aria-hidden="true" className={cx("size-4 shrink-0 fill-current/25", className)} style={{ color: colourOf(color) }} />
  );
}
