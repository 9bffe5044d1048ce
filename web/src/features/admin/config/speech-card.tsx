/** The speech endpoint: a service on another machine that recognises recordings instead of this server. */
import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import {
  type SpeechEndpoint,
  type SpeechEndpointSettings,
  speechEndpointQuery,
  useSaveSpeechEndpoint,
  useTestSpeechEndpoint,
} from "@/api/admin-config";
import { Checkbox } from "@/components/checkbox";
import { Field, TextInput } from "@/components/field";
import { SpokenLanguages } from "@/domain/settings";
import { MAX_PARALLEL_PARTS } from "@/rules/constants";
import { CheckboxRow } from "./checkbox-row";
import { type CardProps, CardState, ConfigCard } from "./config-card";
import { EndpointEditor } from "./endpoint/endpoint-editor";
import { type EndpointDraft, NO_KEY, useEndpointForm } from "./endpoint/use-endpoint-form";

/** How many parts of recordings may be sent at once; the server checks it. */
const PARALLEL = { min: 1, max: MAX_PARALLEL_PARTS };

export function SpeechCard({ onDirtyChange }: CardProps) {
  const { t } = useTranslation("admin-config");
  const { data, error, refetch } = useQuery(speechEndpointQuery());
  return (
    <ConfigCard title={t("speech.title")} text={t("speech.text")}>
      <p className="flex max-w-[64ch] items-start gap-2.5 rounded bg-warn-wash px-3.5 py-3 text-warn">
        <TriangleAlert aria-hidden="true" className="mt-1 size-4 shrink-0" />
        {t("speech.leaves")}
      </p>
      {data ? (
        <Endpoint endpoint={data} onDirtyChange={onDirtyChange} />
      ) : (
        <CardState error={error} onRetry={() => void refetch()} rows={5} />
      )}
    </ConfigCard>
  );
}

/** The settings, with the number as typed. */
interface Draft extends EndpointDraft, Omit<SpeechEndpointSettings, "url" | "model" | "parallel"> {
  parallel: string;
}

const draftOf = (set: SpeechEndpointSettings): Draft => ({ ...set, parallel: String(set.parallel), ...NO_KEY });

/** An empty number is too small, which the server says at the field. */
const settingsOf = ({ key: _, removesKey: __, ...draft }: Draft): SpeechEndpointSettings => ({
  ...draft,
  parallel: Math.round(Number(draft.parallel)),
});

interface EndpointProps {
  endpoint: SpeechEndpoint;
  onDirtyChange: CardProps["onDirtyChange"] | undefined;
}

function Endpoint({ endpoint: { set, key, own_key_for }, onDirtyChange }: EndpointProps) {
  const { t } = useTranslation("admin-config");
  const test = useTestSpeechEndpoint();
  const form = useEndpointForm({
    stored: draftOf(set),
    bodyOf: settingsOf,
    save: useSaveSpeechEndpoint(),
    onSaved: test.reset,
  });
  return (
    <EndpointEditor
      used={{ url: set.url, model: set.model, key, place: own_key_for }}
      form={form}
      test={test}
      urlHint={t("speech.url_hint")}
      none={t("speech.none")}
      idle={set.full || set.lite ? undefined : t("speech.idle")}
      onDirtyChange={onDirtyChange}
    >
      <Served form={form} />
      <Sending form={form} />
    </EndpointEditor>
  );
}

type Form = ReturnType<typeof useEndpointForm<Draft, SpeechEndpointSettings>>;

/** Which recordings are recognised there. */
function Served({ form: { values, change, errorOf, brokenIn } }: { form: Form }) {
  const { t } = useTranslation("admin-config");
  const { full, lite, languages, translates } = values;
  return (
    <fieldset className="mt-2 flex flex-col gap-4">
      <legend className="kicker mb-3">{t("speech.serves")}</legend>
      <div className="flex flex-col gap-2">
        <div className="flex flex-wrap gap-x-8 gap-y-3">
          <Checkbox checked={full} onChange={(on) => change({ full: on })}>
            {t("speech.full")}
          </Checkbox>
          <Checkbox checked={lite} onChange={(on) => change({ lite: on })}>
            {t("speech.lite")}
          </Checkbox>
        </div>
        <p role="status" className="text-sm text-warn empty:sr-only">
          {!full && !lite && t("speech.off")}
        </p>
      </div>
      <SpokenLanguages
        label={t("speech.languages")}
        hint={t("speech.languages_hint")}
        languages={languages}
        onChange={(next) => change({ languages: next })}
        error={errorOf("languages")}
        broken={brokenIn("languages")}
      />
      <CheckboxRow
        checked={translates}
        onChange={(on) => change({ translates: on })}
        label={t("speech.translates")}
        hint={t("speech.translates_hint")}
      />
    </fieldset>
  );
}

/** How parts of recordings are sent, and what happens without an answer. */
function Sending({ form: { values, change, errorOf } }: { form: Form }) {
  const { t } = useTranslation("admin-config");
  return (
    <fieldset className="mt-2 flex flex-col gap-4">
      <legend className="kicker mb-3">{t("speech.sending")}</legend>
      <Field label={t("speech.parallel")} hint={t("speech.parallel_hint", PARALLEL)} error={errorOf("parallel")}>
        {(wiring) => (
          <TextInput
            {...wiring}
            {...PARALLEL}
            type="number"
            inputMode="numeric"
            className="figures max-w-28"
            value={values.parallel}
            onChange={(event) => change({ parallel: event.target.value })}
          />
        )}
      </Field>
      <CheckboxRow
        checked={values.falls_back}
        onChange={(on) => change({ falls_back: on })}
        label={t("speech.falls_back")}
        hint={t("speech.falls_back_hint")}
      />
    </fieldset>
  );
}
