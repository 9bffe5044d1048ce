/** Tells the account how one wants the page to look. */
import { useRef } from "react";
import { type Preferences, useSavePreferences } from "@/api/account";
import { useLocale } from "@/hooks/use-locale";
import { useTheme } from "@/lib/theme";

/** The choice holds here at once; what the account does not learn of it now, it learns with the next one. */
export function useSaveLook() {
  const savePreferences = useSavePreferences();
  const locale = useLocale();
  const { theme } = useTheme();
  const missed = useRef(false);
  return (change: Partial<Preferences>) => {
    const whole = missed.current ? { locale, theme, ...change } : change;
    missed.current = false;
    savePreferences({ change: whole }).catch(() => {
      missed.current = true;
    });
  };
}
