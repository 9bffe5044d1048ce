/** Describes an exceeded limit of a subtitle: which one, the value, and the maximum. */
import type { TFunction } from "i18next";
import { formatNumber } from "@/lib/format";
import type { Locale } from "@/lib/i18n";
import type { OverLimit } from "@/rules/text";

/** Times are shown in hundredths. */
const DIGITS: Record<OverLimit["kind"], number> = { cps: 1, columns: 0, lines: 0, short: 2, long: 2, gap: 2, overlap: 2 };

export function limitText(
  t: TFunction<["editor", "transcript"]>,
  locale: Locale,
  number: string,
  findings: readonly OverLimit[],
): string {
  const descriptions = findings.map(({ kind, value, limit }) =>
    t(`cues.over.${kind}`, {
      value: formatNumber(value, locale, DIGITS[kind]),
      limit: formatNumber(limit, locale, DIGITS[kind]),
    }),
  );
  return t("cues.overOf", { number, what: descriptions.join("; ") });
}
