/** Counts this page view, with consent to statistics: only the page and the language, nothing about the visitor. */
import { readConsent } from "./consent";

const VISITS = "/api/v1/site/visits";
let told = false;

/** At most once per page load; consent given later on the same page counts. */
export function countVisit(): void {
  if (told || !readConsent().statistics) return;
  const visit = { page: location.pathname, locale: document.documentElement.lang };
  told = navigator.sendBeacon(VISITS, new Blob([JSON.stringify(visit)], { type: "application/json" }));
}
