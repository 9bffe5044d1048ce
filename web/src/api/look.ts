/** Language and theme: a page shows what the account has chosen, and a new account begins with what the page shows. */
import { isLocale, type Locale, shownLocale, switchLocale } from "@/lib/i18n";
import { isTheme, type Theme, useTheme } from "@/lib/theme";
import { api, call, session, watchUser } from "./client";
import type { User } from "./schema";

/** What is shown now, chosen or not. */
export const shownLook = (): { locale: Locale; theme: Theme } => ({
  locale: shownLocale(),
  theme: useTheme.getState().theme,
});

/** Shows what the account has chosen; the rest stays as it is. */
export function showLook({ locale, theme }: User): void {
  if (isTheme(theme)) useTheme.getState().setTheme(theme);
  // Without its texts (the network is gone) the page stays in the language it has.
  if (isLocale(locale)) switchLocale(locale).catch(console.error);
}

/** Saves what is shown now as the choice of the signed-in account, which has not made one yet. */
export async function keepLook(): Promise<void> {
  const isHere = watchUser();
  const look = shownLook();
  const known = await call(api.GET("/api/v1/me/preferences"));
  if (!isHere()) return;
  await call(api.PUT("/api/v1/me/preferences", { body: { ...known, ...look } }));
  const user = session.user();
  if (user && isHere()) session.updateUser({ ...user, ...look });
}
