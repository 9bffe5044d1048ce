/** Who somebody is, in a small square: their picture, or their initials until there is one. */
import { useUser } from "@/api";
import { useAvatarUrl } from "@/api/avatar";
import { cx } from "@/lib/class-names";

/** Of the signed-in user. The name stands beside it, so it is silent itself. */
export function UserAvatar({ className }: { className?: string }) {
  const user = useUser();
  const picture = useAvatarUrl(user?.avatar ?? null);
  const shape = cx("size-8 shrink-0 rounded", className);
  if (!user) return null;
  if (picture) return <img src={picture} alt="" className={cx("bg-paper-sunk object-cover", shape)} />;
  return (
    <span aria-hidden="true" className={cx("figures flex items-center justify-center bg-ink text-[0.8125rem] text-paper", shape)}>
      {user.initials}
    </span>
  );
}
