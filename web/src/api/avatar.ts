/** The user's photo: uploading, deleting and showing it. Its content is never part of a URL. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, apiFetch, call, session, watchUser } from "./client";
import type { User } from "./schema";

const AVATAR = "/api/v1/me/avatar";

/** Uploads the photo unchanged; the server converts it to its own size. Updates the user everywhere. */
export async function uploadAvatar(image: Blob): Promise<User> {
  const headers = { "content-type": "application/octet-stream" };
  const response = await apiFetch(AVATAR, { method: "PUT", headers, body: image });
  const user = (await response.json()) as User;
  session.updateUser(user);
  return user;
}

export async function removeAvatar(): Promise<void> {
  const isSameUser = watchUser();
  await call(api.DELETE(AVATAR));
  const user = session.user();
  if (user && isSameUser()) session.updateUser({ ...user, avatar: null });
}

/** The photo of a version. A version never changes; the cache is cleared when the session ends. */
const avatarQuery = (version: string | null) =>
  queryOptions({
    queryKey: ["avatar", version],
    // Bypasses the browser's cache: the URL is the same for every version and user.
    queryFn: async ({ signal }) => (await apiFetch(AVATAR, { signal, cache: "no-store" })).blob(),
    enabled: version !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** An object URL of the user's photo while it is shown; null if there is none or it is not loaded yet. */
export function useAvatarUrl(version: string | null): string | null {
  const { data } = useQuery(avatarQuery(version));
  return useObjectUrl(version === null ? null : (data ?? null));
}

/** An object URL, revoked when it is replaced or no longer shown. */
export function useObjectUrl(file: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (file === null) return;
    const objectUrl = URL.createObjectURL(file);
    setUrl(objectUrl);
    return () => {
      URL.revokeObjectURL(objectUrl);
      setUrl(null);
    };
  }, [file]);
  return url;
}
