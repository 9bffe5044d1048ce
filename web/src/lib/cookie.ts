/** Cookies shared with the server. */

/** Null when there is none, or when cookies are blocked. */
export function readCookie(name: string): string | null {
  const start = `${name}=`;
  const found = document.cookie.split("; ").find((cookie) => cookie.startsWith(start));
  return found === undefined ? null : found.slice(start.length);
}

/** For all pages of this site, and for no other site. `value` is put in as it is. */
export function writeCookie(name: string, value: string, seconds: number): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and on plain http
  document.cookie = `${name}=${value}; Path=/; Max-Age=${seconds}; SameSite=Lax${secure}`;
}
