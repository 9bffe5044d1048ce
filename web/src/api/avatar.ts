/** The user's photo: sent, removed, and shown without ever being in the address of anything. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, apiFetch, call, session, watchUser } from "./client";
import type { User } from "./schema";

const AVATAR = "/api/v1/me/avatar";

/** Uploads the photo unchanged; the server re-encodes it in its own size. The user's new state is shown everywhere. */
export async function uploadAvatar(image: Blob): Promise<User> {
  const headers = { "content-type": "application/octet-stream" };
  const response = await apiFetch(AVATAR, { method: "PUT", headers, body: image });
  const user = (await response.json()) as User;
  session.updateUser(user);
  return user;
}

export async function removeAvatar(): Promise<void> {
  const isHere = watchUser();
  await call(api.DELETE(AVATAR));
  const user = session.user();
  if (user && isHere()) session.updateUser({ ...user, avatar: null });
}

/** The photo of one version. A version never changes; the whole cache is emptied when the session ends. */
const avatarQuery = (version: string | null) =>
  queryOptions({
    queryKey: ["avatar", version],
    // Past the browser's own cache: its address is the same for every version and every user.
    queryFn: async ({ signal }) => (await apiFetch(AVATAR, { signal, cache: "no-store" })).blob(),
    enabled: version !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** An address of the user's photo for as long as it is shown; null without one, and until it is there. */
export function useAvatarUrl(version: string | null): string | null {
  const { data } = useQuery(avatarQuery(version));
  return useObjectUrl(version === null ? null : (data ?? null));
}

/** An object URL, revoked when another one replaces it or it is no longer shown. */
export function useObjectUrl(file: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (file === null) return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(null);
    };
  }, [file]);
  return url;
}
