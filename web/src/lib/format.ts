/** Formats numbers, times and sizes. Functions take the locale as an argument so that components re-render with it. */
import type { Locale } from "./i18n";

const NBSP = "\u00A0";
/** British English: its dates have the day before the month, like Ukrainian ones. */
const INTL: Record<Locale, string> = { uk: "uk-UA", en: "en-GB" };

/** `4:05`, `1:02:09`: a position in a recording, or its duration. In seconds; negative values count as 0. */
export function formatClock(seconds: number): string {
  const wholeSeconds = Math.max(0, Math.floor(seconds));
  const h = Math.floor(wholeSeconds / 3600);
  const m = Math.floor((wholeSeconds % 3600) / 60);
  const s = String(wholeSeconds % 60).padStart(2, "0");
  return h > 0 ? `${h}:${String(m).padStart(2, "0")}:${s}` : `${m}:${s}`;
}

const UNITS: Record<Locale, { hour: string; minute: string; second: string }> = {
  uk: { hour: "год", minute: "хв", second: "с" },
  en: { hour: "h", minute: "min", second: "s" },
};

/** `1 год 20 хв`, `3 хв`, `45 с`: a duration in its two largest units. In seconds. */
export function formatSpan(seconds: number, locale: Locale): string {
  const unit = UNITS[locale];
  const rounded = Math.max(0, Math.round(seconds));
  if (rounded < 60) return `${rounded}${NBSP}${unit.second}`;
  const minutes = Math.round(rounded / 60);
  if (minutes < 60) return `${minutes}${NBSP}${unit.minute}`;
  const restMinutes = minutes % 60;
  const hours = `${formatNumber(Math.floor(minutes / 60), locale)}${NBSP}${unit.hour}`;
  return restMinutes === 0 ? hours : `${hours} ${restMinutes}${NBSP}${unit.minute}`;
}

const HOUR = 3_600;

/** Like `formatSpan`, but in days from two days: `4 дні`. */
export function formatLongSpan(seconds: number, locale: Locale): string {
  const days = Math.floor(seconds / (24 * HOUR));
  if (days < 2) return formatSpan(seconds, locale);
  return unparted(new Intl.NumberFormat(INTL[locale], { style: "unit", unit: "day", unitDisplay: "long" }).format(days));
}

export function formatNumber(value: number, locale: Locale, digits = 0): string {
  return new Intl.NumberFormat(INTL[locale], { maximumFractionDigits: digits }).format(value);
}

/** `199 ₴`, `9,50 USD`: without decimals if they are zero. `currency` is an ISO 4217 code. */
export function formatPrice(price: number, currency: string, locale: Locale): string {
  const digits = Number.isInteger(price) ? { maximumFractionDigits: 0 } : { minimumFractionDigits: 2 };
  return new Intl.NumberFormat(INTL[locale], { style: "currency", currency, currencyDisplay: "narrowSymbol", ...digits }).format(
    price,
  );
}

/** `+1,5`, `−3`: a difference, always with its sign. */
export function formatChange(value: number, locale: Locale): string {
  const sign = { signDisplay: "exceptZero", maximumFractionDigits: 2 } as const;
  return new Intl.NumberFormat(INTL[locale], sign).format(value).replace("-", "−");
}

/** `42 %` in Ukrainian, `42%` in English. 0 to 100. */
export function formatPercent(percent: number, locale: Locale): string {
  return new Intl.NumberFormat(INTL[locale], { style: "percent", maximumFractionDigits: 0 }).format(percent / 100);
}

const SIZE_UNITS: Record<Locale, readonly string[]> = {
  uk: ["Б", "КБ", "МБ", "ГБ"],
  en: ["B", "KB", "MB", "GB"],
};

/** Bytes in units of powers of 1024, as in the upload limit. */
export function formatBytes(bytes: number, locale: Locale): string {
  const units = SIZE_UNITS[locale];
  const power = Math.min(units.length - 1, bytes > 0 ? Math.floor(Math.log2(bytes) / 10) : 0);
  const value = bytes / 1024 ** power;
  return `${formatNumber(value, locale, power > 0 && value < 10 ? 1 : 0)}${NBSP}${units[power]}`;
}

/** Prevents a line break between a number and its word: `21 лист.`, `2025 р.` */
const unparted = (date: string): string => date.replace(/(?<=\d) (?=\p{L})/gu, NBSP);

/** `21 лист., 14:05`; with the year if it is not the current one. `now` in ms. */
export function formatDateTime(iso: string, locale: Locale, now = Date.now()): string {
  const date = new Date(iso);
  const thisYear = date.getFullYear() === new Date(now).getFullYear();
  const words = new Intl.DateTimeFormat(INTL[locale], {
    day: "numeric",
    month: "short",
    ...(thisYear ? {} : { year: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
  }).format(date);
  return unparted(words);
}

/** `1 грудня`: without the year. */
export function formatDay(iso: string, locale: Locale): string {
  return unparted(new Intl.DateTimeFormat(INTL[locale], { day: "numeric", month: "long" }).format(new Date(iso)));
}

/** The full date and time, for a tooltip. */
export function formatFullDateTime(iso: string, locale: Locale): string {
  return new Intl.DateTimeFormat(INTL[locale], { dateStyle: "full", timeStyle: "medium" }).format(new Date(iso));
}

/** Seconds of each unit, the largest first. */
const AGO_UNITS = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** `3 години тому`, `вчора`: how long ago, in the largest unit. Future times count as now. `now` in ms. */
export function formatAgo(iso: string, locale: Locale, now = Date.now()): string {
  const words = new Intl.RelativeTimeFormat(INTL[locale], { numeric: "auto" });
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1000);
  const [unit, size] = AGO_UNITS.find(([, size]) => seconds >= size) ?? ["second", Number.POSITIVE_INFINITY];
  return words.format(-Math.floor(seconds / size), unit);
}
