/**
 * What the server has given this tab for a link: with it, what is read is one visit, and a password is asked for once. It is
 * kept as long as the tab; where the browser keeps nothing, as long as the page.
 */

/** Of the link, not of the tab: two links in one tab have nothing to do with each other. */
const keyOf = (token: string): string => `slovo.share.${token}`;

/** By link, for a browser that keeps nothing. */
const ofPage = new Map<string, string>();

export function keptGrant(token: string): string | undefined {
  try {
    return sessionStorage.getItem(keyOf(token)) ?? ofPage.get(token);
  } catch {
    return ofPage.get(token);
  }
}

export function keepGrant(token: string, grant: string): void {
  ofPage.set(token, grant);
  try {
    sessionStorage.setItem(keyOf(token), grant);
  } catch {
    // After a reload the password is asked for again.
  }
}

export function dropGrant(token: string): void {
  ofPage.delete(token);
  try {
    sessionStorage.removeItem(keyOf(token));
  } catch {
    // There is none then.
  }
}
