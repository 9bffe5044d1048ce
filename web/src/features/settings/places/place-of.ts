/** Where a source or a target is, for lists. */
interface Place {
  kind: string;
  location: string;
}

/** The address without its query, which may be secret; the path of a folder on the server. */
export function placeOf({ kind, location }: Place): string {
  if (kind === "folder" || !URL.canParse(location)) return location;
  const { host, pathname } = new URL(location);
  try {
    return host + decodeURI(pathname);
  } catch {
    return host + pathname;
  }
}

/** Scheme, host and port of an address; the address itself if it is none. */
const originOf = (location: string): string => (URL.canParse(location.trim()) ? new URL(location.trim()).origin : location);

/** Whether a stored password is not sent to another location. */
export const losesPassword = (stored: { has_password: boolean; location: string } | null, location: string): boolean =>
  stored?.has_password === true && originOf(stored.location) !== originOf(location);

/** The password in a request: null keeps the stored one, an empty one removes it. */
export const requestedPassword = (form: { password: string; removesPassword: boolean }): string | null =>
  form.password || (form.removesPassword ? "" : null);
