/** What a new key is called, what it permits, and until when. */
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import type { User } from "@/api/account";
import type { ApiScope, NewApiKey, useCreateApiKey } from "@/api/api-keys";
import { CONTROL, Field, TextInput } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { PasswordInput } from "@/components/password-input";
import { INITIAL_FOCUS } from "@/components/sheet";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { useViolationText } from "@/hooks/use-violation-text";
import { ScopesField } from "./scopes-field";

/** In days. */
const LIFETIMES = ["30", "90", "365", "never"] as const;
type Lifetime = (typeof LIFETIMES)[number];

const FIELDS = ["name", "scopes", "expires_in_days"] as const satisfies readonly (keyof NewApiKey)[];

interface NewKeyFormProps {
  id: string;
  user: User;
  create: ReturnType<typeof useCreateApiKey>;
}

/** Why the server refused the form, at its fields or for the form as a whole. */
function useRefusal(error: unknown) {
  const { t } = useTranslation(["api-keys", "problems"]);
  const errorText = useErrorText();
  const violationText = useViolationText();
  const violations = error instanceof ApiError ? error.violations : [];
  const textAt = (name: string) => {
    const broken = violations.find(({ field }) => field === name);
    // The text for lists in general would not say what is missing.
    if (broken?.code === "list_empty") return t("scopes.none");
    return broken && violationText(broken);
  };
  const [name, scopes, days] = FIELDS.map(textAt);
  const isWrongPassword = error instanceof ApiError && error.code === "wrong_password";
  const password = isWrongPassword ? t("problems:codes.wrong_password") : undefined;
  const whole = error && !name && !scopes && !days && !password ? errorText(error) : null;
  return { name, scopes, days, password, whole };
}

export function NewKeyForm({ id, user, create }: NewKeyFormProps) {
  const { t } = useTranslation("api-keys");
  const { form, refused } = useInvalidFocus();
  const refusal = useRefusal(create.error);
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly ApiScope[]>(["read"]);
  const [lifetime, setLifetime] = useState<Lifetime>("90");
  const [password, setPassword] = useState("");

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const expires_in_days = lifetime === "never" ? null : Number(lifetime);
    const body = { name, scopes: [...scopes], expires_in_days, ...(user.has_password && { password }) };
    create.mutate(body, { onError: refused });
  };
  /** An error no longer applies once anything is changed. */
  const changed = <Value,>(set: (value: Value) => void) => {
    return (value: Value) => {
      set(value);
      create.reset();
    };
  };

  return (
    <form ref={form} id={id} noValidate onSubmit={submit} className="flex flex-col gap-5">
      <FormAlert text={refusal.whole} />
      <Field label={t("new.name")} hint={t("new.name_hint")} error={refusal.name} className="max-w-md">
        {(wiring) => (
          <TextInput
            {...wiring}
            {...INITIAL_FOCUS}
            name="api_key_name"
            autoComplete="off"
            value={name}
            onChange={(event) => changed(setName)(event.currentTarget.value)}
          />
        )}
      </Field>
      <ScopesField isAdmin={user.role === "admin"} scopes={scopes} error={refusal.scopes} onChange={changed(setScopes)} />
      <Field label={t("new.lifetime")} error={refusal.days} className="max-w-md">
        {(wiring) => (
          <select
            {...wiring}
            className={CONTROL}
            value={lifetime}
            onChange={(event) => changed(setLifetime)(event.currentTarget.value as Lifetime)}
          >
            {LIFETIMES.map((each) => (
              <option key={each} value={each}>
                {t(`lifetimes.${each}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {user.has_password && (
        <Field label={t("new.password")} hint={t("new.password_hint")} error={refusal.password} className="max-w-md">
          {(wiring) => (
            <PasswordInput
              {...wiring}
              name="api_key_password"
              autoComplete="current-password"
              value={password}
              onChange={(event) => changed(setPassword)(event.currentTarget.value)}
            />
          )}
        </Field>
      )}
    </form>
  );
}
