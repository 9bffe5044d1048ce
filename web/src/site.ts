/** The script of the public pages, which the server renders. It loads interactive parts on first use. */
import { readConsent } from "@/features/site-islands/consent";
import { ISLANDS } from "@/features/site-islands/contract";
import { restoreInput } from "@/features/site-islands/form-input";
import { startLoader } from "@/features/site-islands/loader";
import { countVisit } from "@/features/site-islands/visit";
import { storedLocale } from "@/lib/locale-cookie";

restoreInput(readConsent().preferences);
startLoader(ISLANDS);
countVisit();

// A page restored from the back/forward cache may be in a language that has since been changed in the application.
addEventListener("pageshow", ({ persisted }) => {
  const chosen = storedLocale();
  if (persisted && chosen !== null && chosen !== document.documentElement.lang) location.reload();
});
