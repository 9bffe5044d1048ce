/** The signed-in user in a small square: their photo, or their initials until there is one. The name stands beside it. */
import { useAvatarUrl, useUser } from "@/api";
import { Avatar } from "./avatar-editor/avatar";

export function UserAvatar() {
  const user = useUser();
  const url = useAvatarUrl(user?.avatar ?? null);
  return user && <Avatar url={url} initials={user.initials} className="size-8 text-[0.8125rem]" />;
}
