/** The user's profile: photo, name, purpose. */
import { type FormEvent, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, type Violation } from "@/api";
import { type User, useSaveProfile } from "@/api/account";
import { Button, LinkButton } from "@/components/button";
import { CONTROL, Field, TextInput } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { limits, usages, validateProfile } from "@/rules";
import { OwnAvatar } from "./own-avatar";
import { SaveState } from "./save-state";
import { Section } from "./section";

export function ProfileTab({ user }: { user: User }) {
  const { t } = useTranslation("settings");
  return (
    <Section title={t("profile.title")} text={t("profile.text")}>
      <OwnAvatar user={user} />
      {user.terms_accepted === false ? <TermsFirst /> : <ProfileForm user={user} />}
    </Section>
  );
}

/** A user who signed in with Google and left before accepting the terms: the profile page asks for both. */
function TermsFirst() {
  const { t } = useTranslation("settings");
  return (
    <div className="flex max-w-md flex-col items-start gap-4">
      <p className="text-ink-soft">{t("profile.terms_first")}</p>
      <LinkButton to="/profile" look="primary">
        {t("profile.finish")}
      </LinkButton>
    </div>
  );
}

function ProfileForm({ user }: { user: User }) {
  const { t } = useTranslation(["settings", "rules"]);
  const violationText = useViolationText();
  const [form, setForm] = useState({ fullname: user.fullname ?? "", usage: user.usage ?? "" });
  const { element, broken, failure, state, clear, submit } = useProfile(form);
  const errorOf = (field: string) => {
    const brokenRule = broken.find((rule) => rule.field === field);
    return brokenRule && violationText(brokenRule);
  };
  const edit = (field: keyof typeof form, value: string) => {
    setForm({ ...form, [field]: value });
    clear(field);
  };

  return (
    <form ref={element} onSubmit={submit} noValidate className="flex max-w-md flex-col gap-5">
      <FormAlert text={failure} />
      <Field label={t("profile.fullname")} error={errorOf("fullname")}>
        {(wiring) => (
          <TextInput
            {...wiring}
            name="fullname"
            autoComplete="name"
            value={form.fullname}
            onChange={(event) => edit("fullname", event.target.value)}
          />
        )}
      </Field>
      <Field label={t("profile.usage")} error={errorOf("usage")}>
        {(wiring) => (
          <select {...wiring} className={CONTROL} value={form.usage} onChange={(event) => edit("usage", event.target.value)}>
            <option value="">{t("profile.usage_none")}</option>
            {usages().map((usage) => (
              <option key={usage} value={usage}>
                {t(`rules:usage.${usage}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={t("profile.email")} hint={t("profile.email_fixed")}>
        {(wiring) => <TextInput {...wiring} type="email" value={user.email} readOnly className="bg-paper-sunk text-ink-soft" />}
      </Field>
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" look="primary" busy={state === "saving"}>
          {state === "saving" ? t("save.saving") : t("save.button")}
        </Button>
        {state !== "saving" && <SaveState state={state} />}
      </div>
    </form>
  );
}

/** Validates with the shared rules, saves, and shows a short confirmation. */
function useProfile(form: { fullname: string; usage: string }) {
  const { t } = useTranslation("settings");
  const errorText = useErrorText();
  const save = useSaveProfile();
  const [broken, setBroken] = useState<readonly BrokenRule[]>([]);
  const [failure, setFailure] = useState<unknown>(null);
  const [saved, setSaved] = useState(false);
  const { form: element, refused } = useInvalidFocus();

  useEffect(() => {
    if (!saved) return;
    const timer = setTimeout(() => setSaved(false), limits().saved_indicator_ms);
    return () => clearTimeout(timer);
  }, [saved]);

  const show = (violations: readonly (BrokenRule | Violation)[]): boolean => {
    setBroken(violations);
    if (violations.length > 0) refused();
    return violations.length > 0;
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(null);
    setSaved(false);
    // Users who have not accepted the terms are asked on the profile page.
    const fullForm = { ...form, terms: true };
    if (show(validateProfile(fullForm))) return;
    try {
      await save.mutateAsync(fullForm);
      setSaved(true);
    } catch (error) {
      if (!(error instanceof ApiError && show(error.violations))) setFailure(error);
    }
  };

  return {
    element,
    broken,
    failure: failure === null ? null : `${t("profile.failed")}. ${errorText(failure)}`,
    state: save.isPending ? ("saving" as const) : saved ? ("saved" as const) : ("idle" as const),
    clear: (field: string) => {
      setBroken(broken.filter((rule) => rule.field !== field));
      setFailure(null);
      setSaved(false);
    },
    submit,
  };
}
