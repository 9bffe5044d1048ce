/** Models: required ones, other installed ones, and available ones. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type ManagedModel, type ManagedModels, modelsQuery } from "@/api/admin-config";
import { useLocale } from "@/hooks/use-locale";
import { formatBytes } from "@/lib/format";
import { CardState, ConfigCard, FACTS } from "./config-card";
import { FieldAnchor } from "./field-anchor";
import { ModelRow } from "./model-row";

export function ModelsCard() {
  const { t } = useTranslation("admin-config");
  const { data, error, refetch } = useQuery(modelsQuery());
  return (
    <ConfigCard title={t("models.title")} text={t("models.text")}>
      {data ? <Models {...data} /> : <CardState error={error} onRetry={() => void refetch()} rows={5} />}
    </ConfigCard>
  );
}

function Models({ models, folder, source, hub, device, free_bytes }: ManagedModels) {
  const { t } = useTranslation("admin-config");
  const locale = useLocale();
  const needed = models.filter(({ used_by }) => used_by.length > 0);
  const spare = models.filter((model) => model.used_by.length === 0);
  const installed = spare.filter(isPresent);
  const others = spare.filter((model) => !isPresent(model));
  return (
    <>
      <dl className={`${FACTS} sm:grid-cols-[9rem_minmax(0,1fr)]`}>
        <dt className="text-ink-faint">{t("models.folder")}</dt>
        <dd className="font-mono text-sm wrap-anywhere">{folder}</dd>
        <dt className="text-ink-faint">{t("models.source.label")}</dt>
        <dd>
          {t(`models.source.${source}`, { hub: hub ?? "" })}
          {free_bytes != null && (
            <span className="text-ink-faint"> · {t("models.free", { size: formatBytes(free_bytes, locale) })}</span>
          )}
        </dd>
        {device && (
          <>
            <dt className="text-ink-faint">{t("models.device")}</dt>
            <dd className="wrap-anywhere">
              {device.description}
              <span className="text-ink-faint"> · {device.is_gpu ? device.name : t("models.no_gpu")}</span>
            </dd>
          </>
        )}
      </dl>
      <FieldAnchor name="needed">
        <Group title={t("models.needed")} models={needed} />
      </FieldAnchor>
      {installed.length > 0 && <Group title={t("models.installed")} models={installed} />}
      {others.length > 0 && (
        <details className="group">
          <summary className="inline-flex min-h-9 cursor-pointer items-center font-strong text-accent">
            {t("models.others", { count: others.length })}
          </summary>
          <ModelList label={t("models.others", { count: others.length })} models={others} />
        </details>
      )}
    </>
  );
}

/** Installed, partially downloaded, or in progress: a started download is not hidden among the available models. */
const isPresent = ({ state, task, ended, partial_bytes }: ManagedModel): boolean =>
  state !== "missing" || task !== null || (ended !== null && ended.failure !== null) || partial_bytes > 0;

function Group({ title, models }: { title: string; models: readonly ManagedModel[] }) {
  return (
    <div>
      <h3 className="kicker">{title}</h3>
      <ModelList label={title} models={models} />
    </div>
  );
}

function ModelList({ label, models }: { label: string; models: readonly ManagedModel[] }) {
  return (
    <ul aria-label={label} className="mt-1 flex flex-col divide-y divide-rule">
      {models.map((model) => (
        <ModelRow key={model.id} model={model} />
      ))}
    </ul>
  );
}
