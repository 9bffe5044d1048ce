/** How the test of an endpoint ended, and what to do about it. */
import { useTranslation } from "react-i18next";
import type { EndpointTest } from "@/api/admin-config";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { formatNumber } from "@/lib/format";
import { ResultPanel } from "../config-card";

interface TestOutcomeProps {
  /** Why there was no test. */
  error: unknown;
  test: EndpointTest | undefined;
}

export function TestOutcome({ error, test }: TestOutcomeProps) {
  const { t } = useTranslation("admin-config");
  const errorText = useErrorText();
  return (
    <div role="status" aria-label={t("endpoint.result")} className="empty:sr-only">
      {error ? <ResultPanel good={false} title={`${t("endpoint.test_failed")}. ${errorText(error)}`} /> : null}
      {test && <Result test={test} />}
    </div>
  );
}

function Result({ test: { outcome, status, models, milliseconds } }: { test: EndpointTest }) {
  const { t } = useTranslation("admin-config");
  const locale = useLocale();
  const figures = [status && `HTTP ${status}`, t("endpoint.took", { ms: formatNumber(milliseconds, locale) })];
  return (
    <ResultPanel good={outcome === "works"} title={t(`endpoint.outcome.${outcome}.title`)}>
      <p>{t(`endpoint.outcome.${outcome}.hint`)}</p>
      {models.length > 0 && <p className="text-sm wrap-anywhere">{t("endpoint.models", { names: models.join(", ") })}</p>}
      {outcome !== "not_configured" && <p className="figures text-sm text-ink-soft">{figures.filter(Boolean).join(" · ")}</p>}
    </ResultPanel>
  );
}
