/** Cookies shared with the server. */

/** Null if there is no such cookie, or cookies are blocked. */
export function readCookie(name: string): string | null {
  const start = `${name}=`;
  const pair = document.cookie.split("; ").find((cookie) => cookie.startsWith(start));
  return pair === undefined ? null : pair.slice(start.length);
}

/** Sets a cookie for all pages of this site, but not for requests from other sites. `value` is not encoded. */
export function writeCookie(name: string, value: string, seconds: number): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and on plain http
  document.cookie = `${name}=${value}; Path=/; Max-Age=${seconds}; SameSite=Lax${secure}`;
}
