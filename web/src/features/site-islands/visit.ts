/** Tells the server that this page was opened, with consent to statistics: which page, in which language, and nothing of whom. */
import { readConsent } from "./consent";

const VISITS = "/api/v1/site/visits";
let told = false;

/** At most once a page load; what was agreed to later on the same page counts. */
export function tellVisit(): void {
  if (told || !readConsent().statistics) return;
  const visit = { page: location.pathname, locale: document.documentElement.lang };
  told = navigator.sendBeacon(VISITS, new Blob([JSON.stringify(visit)], { type: "application/json" }));
}
