/** Saves language and theme in the account. */
import { useRef } from "react";
import { type Preferences, useSavePreferences } from "@/api/account";
import { useLocale } from "@/hooks/use-locale";
import { useTheme } from "@/lib/theme";

/** The choice applies here at once; if saving fails, the next change saves it too. */
export function useSaveAppearance() {
  const savePreferences = useSavePreferences();
  const locale = useLocale();
  const { theme } = useTheme();
  const missed = useRef(false);
  return (change: Partial<Preferences>) => {
    const fullChange = missed.current ? { locale, theme, ...change } : change;
    missed.current = false;
    savePreferences({ change: fullChange }).catch(() => {
      missed.current = true;
    });
  };
}
