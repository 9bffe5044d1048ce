/** The history of an account's minutes, the newest first. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type UsageEntry, userHistoryQuery } from "@/api/admin";
import { Button } from "@/components/button";
import { Skeleton } from "@/components/skeleton";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { formatDateTime, formatNumber } from "@/lib/format";

export function UsageHistory({ id }: { id: string }) {
  const { t } = useTranslation("admin");
  const errorText = useErrorText();
  const history = useInfiniteQuery(userHistoryQuery(id));
  const entries = history.data?.pages.flatMap((page) => page.items);
  if (history.isError && !entries) return <p className="text-sm text-bad">{errorText(history.error)}</p>;
  if (!entries) return <Skeleton className="h-24 w-full" />;
  if (entries.length === 0) return <p className="text-sm text-ink-faint">{t("history.empty")}</p>;
  return (
    <>
      <ul className="divide-y divide-rule border-y border-rule text-sm">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      {history.hasNextPage && (
        <Button size="small" className="mt-2" busy={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          {t("load_more")}
        </Button>
      )}
    </>
  );
}

function Entry({ entry }: { entry: UsageEntry }) {
  const { t } = useTranslation("admin");
  const locale = useLocale();
  const amount = entry.change_amount_minutes;
  return (
    <li className="flex items-baseline gap-3 py-1.5">
      <span className="min-w-0 flex-1 wrap-anywhere">
        {t(`changes.${entry.change_type}`)}
        {entry.description && <span className="text-ink-soft">{` · ${entry.description}`}</span>}
      </span>
      <time dateTime={entry.created_at} className="shrink-0 text-ink-faint">
        {formatDateTime(entry.created_at, locale)}
      </time>
      <span className={`figures w-20 shrink-0 text-right ${amount < 0 ? "text-ink" : "text-good"}`}>
        {amount > 0 && "+"}
        {formatNumber(amount, locale, 2)}
      </span>
    </li>
  );
}
