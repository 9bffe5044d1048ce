/** Asks whose voice is to be remembered, and whether this person agrees. */
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { useRememberVoice, type Voice } from "@/api/voices";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { CONTROL, Field, TextInput } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { INITIAL_FOCUS, Sheet } from "@/components/sheet";
import { speakerName, speakerSign } from "@/domain/transcript/speakers";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { useViolationText } from "@/hooks/use-violation-text";
import { MAX_SPEAKER_NAME } from "@/rules/constants";
import type { Speaker } from "../document/model";
import type { SpeakerVoices } from "./use-speaker-voices";
import { useVoiceError } from "./use-voice-error";
import { voiceNamed } from "./voice-state";

interface RememberSheetProps {
  speaker: Speaker;
  voices: SpeakerVoices;
  onClose: () => void;
}

export function RememberSheet({ speaker, voices, onClose }: RememberSheetProps) {
  const { t } = useTranslation(["voices", "common"]);
  const form = useRememberForm(speaker, voices, onClose);
  const formId = useId();
  const sign = speakerSign(speaker.id);
  return (
    <Sheet
      title={t("remember.title")}
      subject={speakerName(speaker)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("common:actions.cancel")}</Button>
          <Button type="submit" form={formId} look="primary" busy={form.busy}>
            {t("remember.submit")}
          </Button>
        </>
      }
    >
      <form
        ref={form.element}
        id={formId}
        noValidate
        onSubmit={(event) => void form.submit(event)}
        className="flex flex-col gap-5"
      >
        <p className="max-w-[65ch] text-ink-soft">{t("remember.stored")}</p>
        <FormAlert text={form.failure} />
        {voices.voices.length > 0 && <WhoseField voices={voices.voices} value={form.voice} onChange={form.setVoice} />}
        {form.voice === null && (
          <Field label={t("remember.name")} error={form.nameError} className="max-w-md">
            {(wiring) => (
              <TextInput
                {...wiring}
                {...(voices.voices.length === 0 && INITIAL_FOCUS)}
                value={form.name}
                maxLength={MAX_SPEAKER_NAME}
                autoComplete="off"
                onChange={(event) => form.setName(event.target.value)}
              />
            )}
          </Field>
        )}
        {!speaker.name && (
          <Checkbox checked={form.alsoName} onChange={form.setAlsoName}>
            {t("remember.also_name", { speaker: sign })}
          </Checkbox>
        )}
        <Checkbox checked={form.consent} onChange={form.setConsent} error={form.consentError}>
          <span className="font-strong">{t("remember.consent")}</span>
        </Checkbox>
      </form>
    </Sheet>
  );
}

interface WhoseFieldProps {
  voices: readonly Voice[];
  /** Id of a voice; null for a new one. */
  value: string | null;
  onChange: (voice: string | null) => void;
}

function WhoseField({ voices, value, onChange }: WhoseFieldProps) {
  const { t } = useTranslation("voices");
  return (
    <Field label={t("remember.whose")} hint={value === null ? undefined : t("remember.known_hint")} className="max-w-md">
      {(wiring) => (
        <select
          {...wiring}
          {...INITIAL_FOCUS}
          className={CONTROL}
          value={value ?? ""}
          onChange={(event) => onChange(event.currentTarget.value || null)}
        >
          <option value="">{t("remember.new")}</option>
          <optgroup label={t("remember.known")}>
            {voices.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </optgroup>
        </select>
      )}
    </Field>
  );
}

/** Its fields, and what was refused. */
function useRememberForm(speaker: Speaker, { jobId, version, voices, document }: SpeakerVoices, onDone: () => void) {
  const { t } = useTranslation("voices");
  const violationText = useViolationText();
  const voiceError = useVoiceError();
  const remember = useRememberVoice(jobId, version);
  const { form: element, refused } = useInvalidFocus();
  const [name, setName] = useState(speaker.name ?? "");
  const [voice, setVoice] = useState(() => voiceNamed(speaker.name ?? "", voices));
  const [consent, setConsent] = useState(false);
  const [alsoName, setAlsoName] = useState(true);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);

  const isNameless = voice === null && name.trim() === "";
  const broken = remember.error instanceof ApiError ? remember.error.violations.find(({ field }) => field === "name") : undefined;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isNameless || !consent) return refused();
    setBusy(true);
    try {
      // The server knows the speakers only after it has the edits.
      await document.actions.flush();
      const as = voice === null ? { name: name.trim() } : { voice };
      const { name: remembered } = await remember.mutateAsync({ speaker: speaker.id, as });
      if (!speaker.name && alsoName) document.actions.edit({ kind: "rename_speaker", speaker: speaker.id, name: remembered });
      onDone();
    } catch {
      setBusy(false);
      refused();
    }
  };

  const edited =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      remember.reset();
    };
  return {
    element,
    name,
    setName: edited(setName),
    voice,
    setVoice: edited(setVoice),
    consent,
    setConsent: edited(setConsent),
    alsoName,
    setAlsoName,
    busy,
    submit,
    nameError: nameError(),
    consentError: tried && !consent ? t("remember.consent_missing") : undefined,
    failure: remember.error && !broken ? `${t("remember.failed")}. ${voiceError(remember.error)}` : null,
  };

  function nameError(): string | undefined {
    if (broken) return violationText(broken);
    return tried && isNameless ? violationText({ field: "name", code: "speaker_name_required" }) : undefined;
  }
}
