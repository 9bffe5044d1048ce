/** How the server sends mail, and whether that works. */
import { useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useUser } from "@/api";
import { type MailTest, mailWayQuery, useTestMail } from "@/api/admin-config";
import { Button } from "@/components/button";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { CardState, ConfigCard, FACTS, ResultPanel } from "./config-card";
import { FieldAnchor } from "./field-anchor";
import { mailFailure } from "./mail-failure";

export function MailCard() {
  const { t } = useTranslation("admin-config");
  const errorText = useErrorText();
  const locale = useLocale();
  const email = useUser()?.email ?? "";
  const way = useQuery(mailWayQuery());
  const test = useTestMail();
  return (
    <ConfigCard title={t("mail.title")} text={t("mail.text")}>
      {way.data ? (
        <>
          <dl className={`${FACTS} sm:grid-cols-[9rem_minmax(0,1fr)]`}>
            <dt className="text-ink-faint">{t("sections.mail")}</dt>
            <dd className="wrap-anywhere">{t(`mail.${way.data.carrier}`, { place: way.data.place })}</dd>
            <dt className="text-ink-faint">{t("mail.from")}</dt>
            <dd className="wrap-anywhere">{way.data.from}</dd>
          </dl>
          <FieldAnchor name="test" className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button busy={test.isPending} onClick={() => test.mutate(locale)}>
              <Send aria-hidden="true" />
              {t("mail.test")}
            </Button>
            <p className="text-sm text-ink-faint wrap-anywhere">{t("mail.to", { email })}</p>
          </FieldAnchor>
          <div role="status" className="empty:hidden">
            {test.error && <ResultPanel good={false} title={`${t("mail.test_failed")}. ${errorText(test.error)}`} />}
            {test.data && <Result test={test.data} />}
          </div>
        </>
      ) : (
        <CardState error={way.error} onRetry={() => void way.refetch()} rows={2} />
      )}
    </ConfigCard>
  );
}

function Result({ test: { to, way, failure } }: { test: MailTest }) {
  const { t } = useTranslation("admin-config");
  if (!failure) {
    return <ResultPanel good title={t(way.carrier === "smtp" ? "mail.sent" : "mail.kept", { place: way.place, to })} />;
  }
  return (
    <ResultPanel good={false} title={t("mail.not_sent")}>
      <p>{t(`mail.failure.${mailFailure(failure.code)}`)}</p>
      <p lang="en" className="font-mono text-sm text-ink-soft wrap-anywhere">
        {failure.reason}
      </p>
    </ResultPanel>
  );
}
