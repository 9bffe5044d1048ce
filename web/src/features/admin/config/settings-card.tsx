/** Limits, switches and defaults of the server. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type ServerSettingsView, type Switches, serverSettingsQuery } from "@/api/admin-config";
import { Field, TextInput } from "@/components/field";
import { SpokenLanguages } from "@/domain/settings";
import { useLocale } from "@/hooks/use-locale";
import { formatBytes } from "@/lib/format";
import { CheckboxRow } from "./checkbox-row";
import { type CardProps, CardState, ConfigCard, SaveBar } from "./config-card";
import { type LimitField, useSettingsForm } from "./use-settings-form";

const SWITCHES = [
  "sign_up",
  "google",
  "url_fetch",
  "recording",
  "sharing",
  "assistant",
  "contact_form",
  "newsletter",
  "charge_silence",
] as const satisfies readonly (keyof Switches)[];

export function SettingsCard({ onDirtyChange }: CardProps) {
  const { t } = useTranslation("admin-config");
  const { data, error, refetch } = useQuery(serverSettingsQuery());
  return (
    <ConfigCard title={t("settings.title")} text={t("settings.text")}>
      {data ? (
        <Settings view={data} onDirtyChange={onDirtyChange} />
      ) : (
        <CardState error={error} onRetry={() => void refetch()} rows={5} />
      )}
    </ConfigCard>
  );
}

interface SettingsProps {
  view: ServerSettingsView;
  onDirtyChange: CardProps["onDirtyChange"] | undefined;
}

function Settings({ view, onDirtyChange }: SettingsProps) {
  const { t } = useTranslation("admin-config");
  const locale = useLocale();
  const form = useSettingsForm(view);
  const [max, usual] = [view.most_upload_bytes, view.usual_upload_bytes].map((bytes) => formatBytes(bytes, locale));
  const shorter = form.shortensContacts;
  return (
    <form ref={form.element} noValidate onSubmit={form.submit} className="flex flex-col gap-6">
      <fieldset className="flex flex-col gap-4">
        <legend className="kicker mb-3">{t("settings.limits")}</legend>
        <div className="grid gap-x-5 gap-y-4 sm:grid-cols-3">
          <Limit
            form={form}
            field="max_upload_bytes"
            label={t("settings.max_upload")}
            hint={t("settings.max_upload_hint", { max, usual })}
          />
          <Limit form={form} field="waiting_jobs" label={t("settings.waiting_jobs")} hint={t("settings.waiting_jobs_hint")} />
          <Limit
            form={form}
            field="contact_days"
            label={t("settings.contact_days")}
            hint={shorter ? t("settings.contact_days_warning") : t("settings.contact_days_hint")}
          />
        </div>
      </fieldset>
      <fieldset className="flex flex-col gap-4">
        <legend className="kicker mb-3">{t("settings.defaults")}</legend>
        <SpokenLanguages
          languages={form.values.languages}
          onChange={form.selectLanguages}
          error={form.languagesError}
          hint={t("settings.languages_hint")}
        />
      </fieldset>
      <fieldset className="flex flex-col gap-4">
        <legend className="kicker mb-3">{t("settings.switches")}</legend>
        <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
          {SWITCHES.map((name) => (
            <SwitchRow
              key={name}
              name={name}
              on={form.values.switches[name] ?? name !== "charge_silence"}
              onChange={(on) => form.turn(name, on)}
              note={name === "google" && !view.google_configured ? t("settings.google_missing") : undefined}
            />
          ))}
        </div>
      </fieldset>
      <SaveBar
        dirty={form.dirty}
        saving={form.saving}
        failure={form.failure}
        onRevert={form.revert}
        onDirtyChange={onDirtyChange}
      />
    </form>
  );
}

interface LimitProps {
  form: ReturnType<typeof useSettingsForm>;
  field: LimitField;
  label: string;
  hint: string;
}

function Limit({ form, field, label, hint }: LimitProps) {
  return (
    <Field
      label={label}
      hint={hint}
      error={form.errorOf(field)}
      className="sm:grid sm:grid-rows-[minmax(2.75rem,auto)_auto_1fr] sm:items-end"
    >
      {(wiring) => (
        <TextInput
          {...wiring}
          inputMode="numeric"
          autoComplete="off"
          className="figures max-w-40"
          value={form.values.limits[field]}
          onChange={(event) => form.type(field, event.target.value)}
        />
      )}
    </Field>
  );
}

interface SwitchRowProps {
  name: keyof Switches & string;
  on: boolean;
  onChange: (on: boolean) => void;
  note: string | undefined;
}

function SwitchRow({ name, on, onChange, note }: SwitchRowProps) {
  const { t } = useTranslation("admin-config");
  return (
    <CheckboxRow
      checked={on}
      onChange={onChange}
      label={t(`settings.switch.${name}.label`)}
      hint={
        <>
          {t(`settings.switch.${name}.hint`)} {note}
        </>
      }
    />
  );
}
