/** When and with which browsers a link was opened. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Share, ShareOpening } from "@/api";
import { Skeleton } from "@/components/skeleton";
import { ErrorState } from "@/components/state-panel";
import { useLocale } from "@/hooks/use-locale";
import { formatDateTime, formatFullDateTime } from "@/lib/format";
import { openingsQuery } from "./api";

/** Names of products: the same in every language. */
const BROWSERS: Record<Exclude<ShareOpening["browser"], "other">, string> = {
  firefox: "Firefox",
  chrome: "Chrome",
  safari: "Safari",
  edge: "Edge",
  opera: "Opera",
  samsung: "Samsung Internet",
};

export function OpeningsList({ jobId, share }: { jobId: string; share: Share }) {
  const { t } = useTranslation("sharing");
  const locale = useLocale();
  const openings = useQuery(openingsQuery(jobId, share.id));
  const { data, error } = openings;
  if (!data) {
    return error ? (
      <ErrorState title={t("share.openings.failed")} error={error} onRetry={() => void openings.refetch()} className="py-4" />
    ) : (
      <div role="status" aria-label={t("share.openings.loading")}>
        <Skeleton className="h-10 w-full" />
      </div>
    );
  }
  if (data.length === 0) return <p className="text-sm text-ink-soft">{t("share.openings.none")}</p>;
  return (
    <div className="flex flex-col gap-2 rounded bg-paper-sunk p-4">
      <p className="text-sm text-ink-soft">{t("share.openings.note")}</p>
      <ul
        aria-label={t("share.openings.list")}
        // A long list scrolls by itself: what comes after it stays within reach.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard, too
        tabIndex={0}
        className="flex max-h-56 flex-col divide-y divide-rule overflow-y-auto text-sm"
      >
        {data.map(({ at, browser, device }, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: openings have nothing else that tells them apart
          <li key={`${at} ${position}`} className="flex flex-wrap justify-between gap-x-4 py-1.5">
            <time dateTime={at} title={formatFullDateTime(at, locale)} className="figures">
              {formatDateTime(at, locale)}
            </time>
            <span className="text-ink-soft">
              {[browser === "other" ? t("share.openings.other") : BROWSERS[browser], t(`share.devices.${device}`)].join(
                "\u00A0· ",
              )}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
