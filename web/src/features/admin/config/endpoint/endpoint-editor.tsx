/** What the cards of endpoints share: what is in force, the fields of address, model and key, and the test. */
import { PlugZap } from "lucide-react";
import type { FormEvent, ReactNode, RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { EndpointKey, EndpointTest } from "@/api/admin-config";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { Field, TextInput } from "@/components/field";
import { PasswordInput } from "@/components/password-input";
import { type CardProps, FACTS, SaveBar } from "../config-card";
import { FieldAnchor } from "../field-anchor";
import { TestOutcome } from "./test-outcome";
import type { EndpointDraft } from "./use-endpoint-form";

/** The endpoint in use. */
interface Used {
  url: string | null | undefined;
  model: string | null | undefined;
  key: EndpointKey;
  /** Scheme, host and port that the stored key was entered for. */
  place: string | null | undefined;
}

interface EndpointForm {
  element: RefObject<HTMLFormElement | null>;
  values: EndpointDraft;
  dirty: boolean;
  saving: boolean;
  failure: string | null;
  revert: () => void;
  submit: (event: FormEvent) => void;
  change: (part: Partial<EndpointDraft>) => void;
  errorOf: (field: keyof EndpointDraft) => string | undefined;
}

interface EndpointEditorProps {
  used: Used;
  form: EndpointForm;
  test: { isPending: boolean; error: unknown; data: EndpointTest | undefined; mutate: () => void };
  /** Values of the server's configuration, which empty fields take. */
  configured?: { url: string | null | undefined; model: string | null | undefined };
  urlHint: string;
  /** Shown if there is no endpoint. */
  none: string;
  /** Why the endpoint in use does nothing. */
  idle?: string | undefined;
  /** Before the rule about keys. */
  hint?: string;
  onDirtyChange: CardProps["onDirtyChange"] | undefined;
  /** Further fields. */
  children?: ReactNode;
}

export function EndpointEditor(props: EndpointEditorProps) {
  const { used, form, test, configured, urlHint, none, idle, hint, onDirtyChange, children } = props;
  const { t } = useTranslation("admin-config");
  const { dirty } = form;
  return (
    <>
      <Facts used={used} none={none} idle={idle} />
      <form ref={form.element} noValidate onSubmit={form.submit} className="flex flex-col gap-4">
        <div className="grid gap-x-5 gap-y-4 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <FieldAnchor name="url">
            <PlainField form={form} field="url" hint={urlHint} configured={configured?.url} />
          </FieldAnchor>
          <PlainField form={form} field="model" hint={t("endpoint.model_hint")} configured={configured?.model} />
        </div>
        <KeyField place={used.place} form={form} />
        <p className="max-w-[64ch] text-sm text-ink-faint">
          {hint} {t("endpoint.key_rule")}
        </p>
        {children}
        <SaveBar dirty={dirty} saving={form.saving} failure={form.failure} onRevert={form.revert} onDirtyChange={onDirtyChange} />
      </form>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button disabled={dirty || !used.url} busy={test.isPending} onClick={() => test.mutate()}>
          <PlugZap aria-hidden="true" />
          {test.isPending ? t("endpoint.testing") : t("endpoint.test")}
        </Button>
        {dirty && <p className="text-sm text-ink-faint">{t("endpoint.save_first")}</p>}
      </div>
      <TestOutcome error={test.error} test={dirty ? undefined : test.data} />
    </>
  );
}

interface PlainFieldProps {
  form: EndpointForm;
  field: "url" | "model";
  hint: string;
  configured: string | null | undefined;
}

function PlainField({ form, field, hint, configured }: PlainFieldProps) {
  const { t } = useTranslation("admin-config");
  return (
    <Field label={t(`endpoint.${field}`)} hint={hint} error={form.errorOf(field)}>
      {(wiring) => (
        <TextInput
          {...wiring}
          type={field === "url" ? "url" : "text"}
          spellCheck={false}
          autoComplete="off"
          className="font-mono text-sm"
          placeholder={configured ?? undefined}
          value={form.values[field]}
          onChange={(event) => form.change({ [field]: event.target.value })}
        />
      )}
    </Field>
  );
}

/** A key can be entered and removed; it is never shown again. */
function KeyField({ place, form }: { place: Used["place"]; form: EndpointForm }) {
  const { t } = useTranslation("admin-config");
  const { key, removesKey } = form.values;
  return (
    <div className="flex flex-col gap-2 sm:max-w-[60%]">
      <Field
        label={t("endpoint.key_field")}
        hint={place ? `${t("endpoint.key_kept")} ${t("endpoint.key_hint")}` : t("endpoint.key_hint")}
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
          {t("endpoint.key_remove")}
        </Checkbox>
      )}
    </div>
  );
}

/** What is in force, and whether the key is used. */
function Facts({ used: { url, model, key, place }, none, idle }: Pick<EndpointEditorProps, "used" | "none" | "idle">) {
  const { t } = useTranslation("admin-config");
  // Without an address, no key is for another one.
  const shown = key === "withheld" && !url ? (place ? "own" : "sent") : key;
  return (
    <dl className={`${FACTS} sm:grid-cols-[9rem_minmax(0,1fr)]`}>
      <dt className="text-ink-faint">{t("endpoint.in_force")}</dt>
      <dd className="wrap-anywhere">
        {url ? (
          <>
            <span className="font-mono text-sm">{url}</span>
            <span className="text-ink-faint"> · </span>
            <span className="font-mono text-sm">{model}</span>
            {idle && <p className="text-warn">{idle}</p>}
          </>
        ) : (
          none
        )}
      </dd>
      <dt className="text-ink-faint">{t("endpoint.key.label")}</dt>
      <dd className={shown === "withheld" ? "text-warn" : undefined}>
        {shown === "own" ? t("endpoint.key.own", { place }) : t(`endpoint.key.${shown}`)}
      </dd>
    </dl>
  );
}
