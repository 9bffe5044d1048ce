/** The chat endpoint for analyses: URL, model, and whether it answers. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type AnalysisEndpoint, analysisEndpointQuery, useSaveEndpoint, useTestEndpoint } from "@/api/admin-config";
import { type CardProps, CardState, ConfigCard } from "./config-card";
import { EndpointEditor } from "./endpoint/endpoint-editor";
import { NO_KEY, useEndpointForm } from "./endpoint/use-endpoint-form";

export function AnalysisCard({ onDirtyChange }: CardProps) {
  const { t } = useTranslation("admin-config");
  const { data, error, refetch } = useQuery(analysisEndpointQuery());
  return (
    <ConfigCard title={t("analysis.title")} text={t("analysis.text")}>
      {data ? (
        <Endpoint endpoint={data} onDirtyChange={onDirtyChange} />
      ) : (
        <CardState error={error} onRetry={() => void refetch()} rows={3} />
      )}
    </ConfigCard>
  );
}

interface EndpointProps {
  endpoint: AnalysisEndpoint;
  onDirtyChange: CardProps["onDirtyChange"] | undefined;
}

function Endpoint({ endpoint, onDirtyChange }: EndpointProps) {
  const { t } = useTranslation("admin-config");
  const { set, url, model, key, own_key_for: place, configured_url, configured_model } = endpoint;
  const test = useTestEndpoint();
  const form = useEndpointForm({
    stored: { url: set.url ?? "", model: set.model ?? "", ...NO_KEY },
    bodyOf: ({ url, model }) => ({ url, model }),
    save: useSaveEndpoint(),
    onSaved: test.reset,
  });
  return (
    <EndpointEditor
      used={{ url, model, key, place }}
      form={form}
      test={test}
      configured={{ url: configured_url, model: configured_model }}
      urlHint={t("analysis.url_hint")}
      none={t("analysis.none")}
      hint={t("analysis.empty_hint")}
      onDirtyChange={onDirtyChange}
    />
  );
}
