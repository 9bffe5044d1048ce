/** The chat endpoint for analyses: URL, model, and whether it answers. */
import { useQuery } from "@tanstack/react-query";
import { PlugZap } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import {
  type AnalysisEndpoint,
  type AnalysisTest,
  analysisEndpointQuery,
  useSaveEndpoint,
  useTestEndpoint,
} from "@/api/admin-config";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { Field, TextInput } from "@/components/field";
import { PasswordInput } from "@/components/password-input";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { useLocale } from "@/hooks/use-locale";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { formatNumber } from "@/lib/format";
import { toast } from "@/lib/toast";
import { type CardProps, CardState, ConfigCard, FACTS, ResultPanel, SaveBar } from "./config-card";
import { FieldAnchor } from "./field-anchor";

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
  const errorText = useErrorText();
  const test = useTestEndpoint();
  const form = useEndpointForm(endpoint, test.reset);
  const { dirty } = form;
  const nothing = !endpoint.url;
  return (
    <>
      <Facts endpoint={endpoint} />
      <form ref={form.element} noValidate onSubmit={form.submit} className="flex flex-col gap-4">
        <div className="grid gap-x-5 gap-y-4 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <FieldAnchor name="url">
            <Field label={t("analysis.url")} hint={t("analysis.url_hint")} error={form.errorOf("url")}>
              {(wiring) => (
                <TextInput
                  {...wiring}
                  type="url"
                  spellCheck={false}
                  autoComplete="off"
                  className="font-mono text-sm"
                  placeholder={endpoint.configured_url ?? undefined}
                  value={form.values.url}
                  onChange={(event) => form.change({ url: event.target.value })}
                />
              )}
            </Field>
          </FieldAnchor>
          <Field label={t("analysis.model")} hint={t("analysis.model_hint")} error={form.errorOf("model")}>
            {(wiring) => (
              <TextInput
                {...wiring}
                spellCheck={false}
                autoComplete="off"
                className="font-mono text-sm"
                placeholder={endpoint.configured_model ?? undefined}
                value={form.values.model}
                onChange={(event) => form.change({ model: event.target.value })}
              />
            )}
          </Field>
        </div>
        <KeyField endpoint={endpoint} form={form} />
        <p className="max-w-[64ch] text-sm text-ink-faint">
          {t("analysis.empty_hint")} {t("analysis.key_rule")}
        </p>
        <SaveBar dirty={dirty} saving={form.saving} failure={form.failure} onRevert={form.revert} onDirtyChange={onDirtyChange} />
      </form>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button disabled={dirty || nothing} busy={test.isPending} onClick={() => test.mutate()}>
          <PlugZap aria-hidden="true" />
          {test.isPending ? t("analysis.testing") : t("analysis.test")}
        </Button>
        {dirty && <p className="text-sm text-ink-faint">{t("analysis.save_first")}</p>}
      </div>
      <div role="status" aria-label={t("analysis.result")} className="empty:hidden">
        {test.error && <ResultPanel good={false} title={`${t("analysis.test_failed")}. ${errorText(test.error)}`} />}
        {test.data && !dirty && <Result test={test.data} />}
      </div>
    </>
  );
}

/** A key can be entered and removed; it is never shown again. */
function KeyField({ endpoint, form }: { endpoint: AnalysisEndpoint; form: EndpointForm }) {
  const { t } = useTranslation("admin-config");
  const { own_key_for: place } = endpoint;
  const { key, removesKey } = form.values;
  return (
    <div className="flex flex-col gap-2 sm:max-w-[60%]">
      <Field
        label={t("analysis.key_field")}
        hint={place ? `${t("analysis.key_kept")} ${t("analysis.key_hint")}` : t("analysis.key_hint")}
        error={form.errorOf("key")}
      >
        {(wiring) => (
          <PasswordInput
            {...wiring}
            autoComplete="off"
            disabled={removesKey}
            value={key}
            onChange={(event) => form.change({ key: event.target.value })}
          />
        )}
      </Field>
      {place && (
        <Checkbox checked={removesKey} onChange={(removesKey) => form.change({ removesKey, key: "" })}>
          {t("analysis.key_remove")}
        </Checkbox>
      )}
    </div>
  );
}

/** What is in force, and whether the key is used. */
function Facts({ endpoint: { url, model, key, own_key_for } }: { endpoint: AnalysisEndpoint }) {
  const { t } = useTranslation("admin-config");
  return (
    <dl className={`${FACTS} sm:grid-cols-[9rem_minmax(0,1fr)]`}>
      <dt className="text-ink-faint">{t("analysis.in_force")}</dt>
      <dd className="wrap-anywhere">
        {url ? (
          <>
            <span className="font-mono text-sm">{url}</span>
            <span className="text-ink-faint"> · </span>
            <span className="font-mono text-sm">{model}</span>
          </>
        ) : (
          t("analysis.none")
        )}
      </dd>
      <dt className="text-ink-faint">{t("analysis.key.label")}</dt>
      <dd className={key === "withheld" && url ? "text-warn" : undefined}>
        {key === "own"
          ? t("analysis.key.own", { place: own_key_for })
          : t(`analysis.key.${key === "withheld" && !url ? "sent" : key}`)}
      </dd>
    </dl>
  );
}

function Result({ test: { outcome, status, models, milliseconds } }: { test: AnalysisTest }) {
  const { t } = useTranslation("admin-config");
  const locale = useLocale();
  const figures = [status && `HTTP ${status}`, t("analysis.took", { ms: formatNumber(milliseconds, locale) })];
  return (
    <ResultPanel good={outcome === "works"} title={t(`analysis.outcome.${outcome}.title`)}>
      <p>{t(`analysis.outcome.${outcome}.hint`)}</p>
      {models.length > 0 && <p className="text-sm wrap-anywhere">{t("analysis.models", { names: models.join(", ") })}</p>}
      {outcome !== "not_configured" && <p className="figures text-sm text-ink-soft">{figures.filter(Boolean).join(" · ")}</p>}
    </ResultPanel>
  );
}

interface Values {
  url: string;
  model: string;
  /** As typed; empty keeps the existing key. */
  key: string;
  removesKey: boolean;
}

type EndpointForm = ReturnType<typeof useEndpointForm>;

function useEndpointForm({ set }: AnalysisEndpoint, onSaved: () => void) {
  const { t } = useTranslation("admin-config");
  const violationText = useViolationText();
  const errorText = useErrorText();
  const save = useSaveEndpoint();
  const { form: element, refused } = useInvalidFocus();
  // Null until something is typed: then the server's values are shown and follow its changes.
  const [typed, setTyped] = useState<Values | null>(null);
  const [broken, setBroken] = useState<readonly BrokenRule[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const values = typed ?? { url: set.url ?? "", model: set.model ?? "", key: "", removesKey: false };
  const dirty = typed !== null && (typed.url !== set.url || typed.model !== set.model || typed.key !== "" || typed.removesKey);

  const revert = () => {
    setTyped(null);
    setBroken([]);
    setFailure(null);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!dirty || save.isPending) return;
    setFailure(null);
    try {
      const { url, model, key, removesKey } = values;
      await save.mutateAsync({ url, model, ...((key !== "" || removesKey) && { key: removesKey ? "" : key }) });
      revert();
      onSaved();
      toast.success(t("saved"));
    } catch (error) {
      const violations = error instanceof ApiError ? error.violations : [];
      setBroken(violations);
      if (violations.length > 0) refused();
      else setFailure(`${t("save_failed")}. ${errorText(error)}`);
    }
  };

  return {
    element,
    values,
    dirty,
    saving: save.isPending,
    failure,
    revert,
    submit,
    change: (part: Partial<Values>) => {
      setTyped({ ...values, ...part });
      setBroken((before) => before.filter(({ field }) => !(field in part)));
    },
    errorOf: (field: keyof Values) => {
      const rule = broken.find((brokenRule) => brokenRule.field === field);
      return rule && violationText(rule);
    },
  };
}
