/**
 * The grant of a link, stored per tab: it identifies the visit, and the password is asked for only once. If the browser
 * has no storage, it is kept while the page is open.
 */

/** Per link, because several links in one tab are independent. */
const keyOf = (token: string): string => `slovo.share.${token}`;

/** By link, for browsers without storage. */
const ofPage = new Map<string, string>();

export function storedGrant(token: string): string | undefined {
  try {
    return sessionStorage.getItem(keyOf(token)) ?? ofPage.get(token);
  } catch {
    return ofPage.get(token);
  }
}

export function storeGrant(token: string, grant: string): void {
  ofPage.set(token, grant);
  try {
    sessionStorage.setItem(keyOf(token), grant);
  } catch {
    // Without storage, the password is asked for again after a reload.
  }
}

export function dropGrant(token: string): void {
  ofPage.delete(token);
  try {
    sessionStorage.removeItem(keyOf(token));
  } catch {
    // Nothing is stored then.
  }
}
