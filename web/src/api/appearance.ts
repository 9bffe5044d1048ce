/** Language and theme: a page uses the account's choice, and a new account starts with what the page shows. */
import { isLocale, type Locale, shownLocale, switchLocale } from "@/lib/i18n";
import { isTheme, type Theme, useTheme } from "@/lib/theme";
import { api, call, session, watchUser } from "./client";
import type { User } from "./schema";

/** What is currently shown, whether or not it was chosen. */
export const currentAppearance = (): { locale: Locale; theme: Theme } => ({
  locale: shownLocale(),
  theme: useTheme.getState().theme,
});

/** Applies the account's choices; the rest is unchanged. */
export function applyAppearance({ locale, theme }: User): void {
  if (isTheme(theme)) useTheme.getState().setTheme(theme);
  // If its texts cannot be loaded, the language stays the same.
  if (isLocale(locale)) switchLocale(locale).catch(console.error);
}

/** Saves what is shown as the first choice of the signed-in account. */
export async function saveAppearance(): Promise<void> {
  const isSameUser = watchUser();
  const look = currentAppearance();
  const known = await call(api.GET("/api/v1/me/preferences"));
  if (!isSameUser()) return;
  await call(api.PUT("/api/v1/me/preferences", { body: { ...known, ...look } }));
  const user = session.user();
  if (user && isSameUser()) session.updateUser({ ...user, ...look });
}
