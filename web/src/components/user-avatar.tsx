/** The signed-in user's photo or initials in a small square. The name is shown beside it. */
import { useAvatarUrl, useUser } from "@/api";
import { Avatar } from "./avatar-editor/avatar";

export function UserAvatar() {
  const user = useUser();
  const url = useAvatarUrl(user?.avatar ?? null);
  return user && <Avatar url={url} initials={user.initials} className="size-8 text-[0.8125rem]" />;
}
