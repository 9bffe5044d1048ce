/**
 * What the server has given this tab for a link: with it, what is read is one visit, and a password is asked for once. It is
 * kept as long as the tab, and only where the browser lets it be kept.
 */

/** Of the link, not of the tab: two links in one tab have nothing to do with each other. */
const keyOf = (token: string): string => `slovo.share.${token}`;

export function keptGrant(token: string): string | undefined {
  try {
    return sessionStorage.getItem(keyOf(token)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepGrant(token: string, grant: string): void {
  try {
    sessionStorage.setItem(keyOf(token), grant);
  } catch {
    // The page works without: the next reading is another visit, and asks for the password again.
  }
}

export function dropGrant(token: string): void {
  try {
    sessionStorage.removeItem(keyOf(token));
  } catch {
    // There is none then.
  }
}
