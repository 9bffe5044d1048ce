/** The server's public URL: the configured one, the one in the browser, and how to correct it. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Setup, setupQuery } from "@/api/admin-setup";
import { CardState, ConfigCard, FACTS, ResultPanel } from "./config-card";
import { FieldAnchor } from "./field-anchor";

export function AddressCard() {
  const { t } = useTranslation("admin-setup");
  const { data, error, refetch } = useQuery(setupQuery());
  return (
    <ConfigCard title={t("address.title")} text={t("address.why")}>
      {data ? <Facts address={data.address} /> : <CardState error={error} onRetry={() => void refetch()} rows={3} />}
    </ConfigCard>
  );
}

function Facts({ address: { state, cause, url, configured } }: { address: Setup["address"] }) {
  const { t } = useTranslation("admin-setup");
  const origin = window.location.origin;
  return (
    <>
      <FieldAnchor name="public_url">
        <dl className={`${FACTS} sm:grid-cols-[13rem_minmax(0,1fr)]`}>
          <dt className="text-ink-faint">{t("address.links")}</dt>
          <dd className="wrap-anywhere">
            <span className="font-mono text-sm">{url}</span>{" "}
            <span className="text-ink-soft">({t(configured ? "address.configured" : "address.listening")})</span>
          </dd>
          <dt className="text-ink-faint">{t("address.here")}</dt>
          <dd className="font-mono text-sm wrap-anywhere">{origin}</dd>
        </dl>
      </FieldAnchor>
      <ResultPanel good={state !== "to_do"} title={t(`address.cause.${cause}`, { url, here: origin })} />
      <p className="max-w-[64ch] text-sm text-ink-soft">{t("address.how")}</p>
    </>
  );
}
