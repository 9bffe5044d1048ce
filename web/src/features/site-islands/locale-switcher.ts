/** Switches the language at the same position of the page. Without scripts, its links lead to the top of the page. */
import { isLocale, storeLocale } from "@/lib/locale-cookie";
import type { Mount } from "./contract";
import { storeInputForReload } from "./form-input";

export const mount: Mount = (element) => {
  element.addEventListener("click", (event) => {
    const link = (event.target as Element).closest("a");
    const locale = link?.hreflang;
    if (!isLocale(locale) || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    // Without the cookie, only the link's own URL can tell the server.
    if (!storeLocale(locale)) return;
    event.preventDefault();
    storeInputForReload();
    const url = new URL(location.href);
    url.searchParams.delete("lang");
    history.replaceState(history.state, "", url);
    location.reload();
  });
};
