/**
 * A visitor's consent, in the cookie `slovo.consent`: `1.preferences.statistics`, or `1.` without optional parts. No
 * cookie, or one of another version, is no consent. The server writes the same cookie for forms without scripts.
 */
import { readCookie, writeCookie } from "@/lib/cookie";
import { forgetDraft } from "./form-input";

const CONSENT = "slovo.consent";
const VERSION = "1";
const HALF_A_YEAR_S = 182 * 24 * 60 * 60;

export const PURPOSES = ["preferences", "statistics"] as const;
export type Purpose = (typeof PURPOSES)[number];
export type Consent = Readonly<Record<Purpose, boolean>>;

export const NOTHING: Consent = { preferences: false, statistics: false };
export const EVERYTHING: Consent = { preferences: true, statistics: true };

export function readConsent(): Consent {
  const [version, ...agreed] = readCookie(CONSENT)?.split(".") ?? [];
  if (version !== VERSION) return NOTHING;
  return { preferences: agreed.includes("preferences"), statistics: agreed.includes("statistics") };
}

/** Stores the choice. Data stored under an earlier consent is deleted at once. */
export function saveConsent(consent: Consent): void {
  writeCookie(CONSENT, [VERSION, PURPOSES.filter((purpose) => consent[purpose]).join(".")].join("."), HALF_A_YEAR_S);
  if (!consent.preferences) forgetDraft();
}
