/** A user's photo, or their initials. */
import { cx } from "@/lib/class-names";

interface AvatarProps {
  /** URL of the photo; null without one. */
  url: string | null;
  initials: string;
  /** Classes for its size and the font size. */
  className: string;
}

export function Avatar({ url, initials, className }: AvatarProps) {
  return (
    <span
      aria-hidden="true"
      className={cx("figures flex shrink-0 items-center justify-center overflow-hidden rounded bg-ink text-paper", className)}
    >
      {url ? <img src={url} alt="" draggable={false} className="size-full object-cover" /> : initials}
    </span>
  );
}
