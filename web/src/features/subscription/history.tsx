/** The history of minutes: each reservation, settlement and adjustment, with its reason. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { type UsageEntry, usageHistoryQuery } from "@/api/subscription";
import { Button } from "@/components/button";
import { NoRecordings } from "@/components/drawings";
import { Skeleton } from "@/components/skeleton";
import { EmptyNote, ErrorState } from "@/components/state-panel";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatChange, formatDateTime, formatFullDateTime } from "@/lib/format";
import { toast } from "@/lib/toast";
import { Section } from "./section";

const SKELETONS = ["a", "b", "c", "d"];
const HEAD = "kicker sticky top-(--header-height) z-10 bg-paper px-3 py-2 shadow-[inset_0_-1px_0_var(--rule-strong)]";
const CELL = "px-3 py-3 align-top first:pl-0 last:pr-0";

export function History() {
  const { t } = useTranslation(["subscription", "common"]);
  const errorText = useErrorText();
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(usageHistoryQuery());
  const entries = data?.pages.flatMap(({ items }) => items);
  const more = async () => {
    const { error: failure } = await fetchNextPage();
    if (failure) toast.error(`${t("history.load_failed")}. ${errorText(failure)}`);
  };
  return (
    <Section title={t("history.title")}>
      {error && !entries ? (
        <ErrorState title={t("history.load_failed")} error={error} onRetry={() => void refetch()} />
      ) : entries?.length === 0 ? (
        <EmptyNote drawing={NoRecordings}>
          <p>{t("history.nothing")}</p>
          <Link to="/upload" className="text-accent underline-offset-4 hover:underline">
            {t("common:new_transcription")}
          </Link>
        </EmptyNote>
      ) : (
        <table className="w-full border-collapse text-left text-[0.9375rem]" aria-busy={!entries}>
          <thead>
            <tr>
              <th scope="col" className={cx(HEAD, "pl-0")}>
                {t("history.change")}
              </th>
              <th scope="col" className={cx(HEAD, "text-right")}>
                {t("history.minutes")}
              </th>
              <th scope="col" className={cx(HEAD, "pr-0 text-right")}>
                {t("history.when")}
              </th>
            </tr>
          </thead>
          <tbody>
            {entries
              ? entries.map((entry) => <Row key={entry.id} entry={entry} />)
              : SKELETONS.map((key) => <Waiting key={key} />)}
          </tbody>
        </table>
      )}
      {hasNextPage && (
        <Button className="self-center" busy={isFetchingNextPage} onClick={() => void more()}>
          {t("history.more")}
        </Button>
      )}
    </Section>
  );
}

function Row({ entry }: { entry: UsageEntry }) {
  const { t } = useTranslation("subscription");
  const locale = useLocale();
  const { change_type, change_amount_minutes, description, my_job_id, created_at } = entry;
  return (
    <tr className="border-b border-rule">
      <td className={CELL}>
        <span className="block">{t(`changes.${change_type}`)}</span>
        {my_job_id ? (
          <Link
            to={`/transcription/${my_job_id}`}
            className="text-sm text-accent underline-offset-4 wrap-anywhere hover:underline"
          >
            {description || t("history.job")}
          </Link>
        ) : (
          description && <span className="block text-sm text-ink-soft wrap-anywhere">{description}</span>
        )}
      </td>
      <td className={cx(CELL, "figures text-right whitespace-nowrap", change_amount_minutes > 0 && "text-good")}>
        {formatChange(change_amount_minutes, locale)}
      </td>
      <td className={cx(CELL, "w-px text-right text-sm whitespace-nowrap text-ink-soft")}>
        <time dateTime={created_at} title={formatFullDateTime(created_at, locale)}>
          {formatDateTime(created_at, locale)}
        </time>
      </td>
    </tr>
  );
}

function Waiting() {
  return (
    <tr className="border-b border-rule">
      <td className={CELL}>
        <Skeleton className="h-5 w-40" />
        <Skeleton className="mt-1.5 h-4 w-28" />
      </td>
      <td className={CELL}>
        <Skeleton className="ml-auto h-5 w-12" />
      </td>
      <td className={CELL}>
        <Skeleton className="ml-auto h-5 w-20" />
      </td>
    </tr>
  );
}
