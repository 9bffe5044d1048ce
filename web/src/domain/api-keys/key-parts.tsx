/** What is known about a key, without its secret. `bare` leaves out what the heading of a column says. */
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ApiKey } from "@/api/api-keys";
import { useLocale } from "@/hooks/use-locale";
import { formatAgo, formatDateTime, formatFullDateTime } from "@/lib/format";
import { expiryState } from "./expiry";

interface FactProps {
  apiKey: ApiKey;
  bare?: boolean;
}

/** The beginning that all keys have in common, and the end by which their owner recognises one. */
export function KeyHint({ apiKey }: { apiKey: ApiKey }) {
  return <code className="figures text-[0.8125rem] text-ink-soft">slovo_…{apiKey.hint}</code>;
}

export function Created({ apiKey: { created_at }, bare = false }: FactProps) {
  const { t } = useTranslation("api-keys");
  const date = formatDateTime(created_at, useLocale());
  return <Moment at={created_at}>{bare ? date : t("created_at", { date })}</Moment>;
}

const LOOKS = { until: "", soon: "text-warn", expired: "inline-block rounded-sm bg-bad-wash px-1.5 text-bad" } as const;

export function Expiry({ apiKey: { expires_at }, bare = false }: FactProps) {
  const { t } = useTranslation("api-keys");
  const locale = useLocale();
  const state = expiryState(expires_at);
  if (expires_at === null || state === "never") return <span>{t("expiry.never")}</span>;
  const date = formatDateTime(expires_at, locale);
  const words = t(`expiry.${state}`, { date });
  return (
    <span className={LOOKS[state]}>
      {state === "soon" && <TriangleAlert aria-hidden="true" className="mr-1 inline size-3.5 align-[-0.15em]" />}
      <Moment at={expires_at}>
        {bare && state !== "expired" ? (
          <>
            <span className="sr-only">{words}</span>
            <span aria-hidden="true">{date}</span>
          </>
        ) : (
          words
        )}
      </Moment>
    </span>
  );
}

/** How long ago it was used, and from where. */
export function LastUse({ apiKey: { last_used_at, last_address }, bare = false }: FactProps) {
  const { t } = useTranslation("api-keys");
  const locale = useLocale();
  if (last_used_at === null) return <span className="text-ink-faint">{t("used.never")}</span>;
  const ago = formatAgo(last_used_at, locale);
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      <Moment at={last_used_at}>{bare ? ago : t("used.at", { ago })}</Moment>
      {last_address && <span className="figures text-[0.8125rem] wrap-anywhere">{last_address}</span>}
    </span>
  );
}

function Moment({ at, children }: { at: string; children: ReactNode }) {
  return (
    <time dateTime={at} title={formatFullDateTime(at, useLocale())}>
      {children}
    </time>
  );
}
