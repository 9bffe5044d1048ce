/** Changes the address: requested with the password, confirmed with one code from each address. */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import type { User } from "@/api/account";
import { emailChangeQuery, useBeginEmailChange, useCancelEmailChange, useConfirmEmailChange } from "@/api/email-change";
import { Button } from "@/components/button";
import { Field, TextInput } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { PasswordInput } from "@/components/password-input";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { useViolationText } from "@/hooks/use-violation-text";
import { toast } from "@/lib/toast";
import { Section } from "./section";

export function EmailSection({ user }: { user: User }) {
  const { t } = useTranslation("settings");
  const { data: waiting } = useQuery(emailChangeQuery());
  return (
    <Section title={t("email.title")} text={t("email.text", { email: user.email })}>
      {waiting ? <Codes user={user} wanted={waiting.email} /> : <AddressForm user={user} />}
    </Section>
  );
}

function AddressForm({ user }: { user: User }) {
  const { t } = useTranslation(["settings", "problems"]);
  const errorText = useErrorText();
  const violationText = useViolationText();
  const begin = useBeginEmailChange();
  const { form, refused } = useInvalidFocus();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const error = begin.error;
  const broken = error instanceof ApiError ? error.violations.find(({ field }) => field === "email") : undefined;
  const wrong = error instanceof ApiError && error.code === "wrong_password";
  return (
    <form
      ref={form}
      noValidate
      className="flex max-w-md flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        begin.mutate({ email, password }, { onError: () => refused() });
      }}
    >
      <FormAlert text={error && !broken && !wrong ? errorText(error) : null} />
      <Field label={t("email.new")} error={broken && violationText(broken)}>
        {(wiring) => (
          <TextInput
            {...wiring}
            name="new_email"
            type="email"
            autoComplete="email"
            value={email}
            onChange={(event) => {
              setEmail(event.currentTarget.value);
              begin.reset();
            }}
          />
        )}
      </Field>
      {user.has_password && (
        <Field label={t("email.password")} error={wrong ? t("problems:codes.wrong_password") : undefined}>
          {(wiring) => (
            <PasswordInput
              {...wiring}
              name="email_password"
              autoComplete="current-password"
              value={password}
              onChange={(event) => {
                setPassword(event.currentTarget.value);
                begin.reset();
              }}
            />
          )}
        </Field>
      )}
      <Button type="submit" className="self-start" busy={begin.isPending} disabled={email.trim() === ""}>
        {t("email.send")}
      </Button>
    </form>
  );
}

function Codes({ user, wanted }: { user: User; wanted: string }) {
  const { t } = useTranslation("settings");
  const errorText = useErrorText();
  const confirm = useConfirmEmailChange();
  const cancel = useCancelEmailChange();
  const [codes, setCodes] = useState({ old_code: "", new_code: "" });
  const failure = confirm.error ?? cancel.error;
  const field = (name: keyof typeof codes, label: ReactNode) => (
    <Field label={label}>
      {(wiring) => (
        <TextInput
          {...wiring}
          name={name}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          className="figures max-w-40 tracking-widest uppercase"
          value={codes[name]}
          onChange={(event) => {
            setCodes({ ...codes, [name]: event.currentTarget.value });
            confirm.reset();
          }}
        />
      )}
    </Field>
  );
  return (
    <form
      noValidate
      className="flex max-w-md flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate(codes, { onSuccess: () => toast.success(t("email.done")) });
      }}
    >
      <p role="status" className="text-sm text-ink-soft">
        {t("email.sent")}
      </p>
      <FormAlert text={failure && errorText(failure)} />
      {field("old_code", t("email.code_from", { email: user.email }))}
      {field("new_code", t("email.code_from", { email: wanted }))}
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          look="primary"
          busy={confirm.isPending}
          disabled={codes.old_code.trim() === "" || codes.new_code.trim() === ""}
        >
          {t("email.confirm")}
        </Button>
        <Button look="quiet" busy={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
          {t("email.give_up")}
        </Button>
      </div>
    </form>
  );
}
