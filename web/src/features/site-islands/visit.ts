/** Counts this page view, with consent to statistics: only the page and the language, nothing about the visitor. */
import { readConsent } from "./consent";

const VISITS = "/api/v1/site/visits";
let reported = false;

/** At most once per page load; consent given later on the same page counts. */
export function countVisit(): void {
  if (reported || !readConsent().statistics) return;
  const visit = { page: location.pathname, locale: document.documentElement.lang };
  reported = navigator.sendBeacon(VISITS, new Blob([JSON.stringify(visit)], { type: "application/json" }));
}
