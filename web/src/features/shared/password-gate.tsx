/** Asks for the password of a link. Nothing about its content is on this page. */
import { LockKeyhole } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { Button } from "@/components/button";
import { Field } from "@/components/field";
import { PasswordInput } from "@/components/password-input";
import { useErrorText } from "@/hooks/use-error-text";
import { useViolationText } from "@/hooks/use-violation-text";
import { useUnlock } from "./api";

export function PasswordGate({ token }: { token: string }) {
  const { t } = useTranslation("sharing");
  const errorText = useErrorText();
  const violationText = useViolationText();
  const unlock = useUnlock(token);
  const [password, setPassword] = useState("");
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    form.current?.querySelector("input")?.focus();
  }, []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    unlock.mutate(password, { onError: () => form.current?.querySelector("input")?.select() });
  };

  const { error } = unlock;
  const broken = error instanceof ApiError ? error.violations[0] : undefined;
  const message = broken ? violationText(broken) : error ? errorText(error) : undefined;
  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center gap-5 pb-24"
    >
      <div className="flex flex-col gap-2">
        <LockKeyhole aria-hidden="true" strokeWidth={1.5} className="size-8 text-accent" />
        <h1 className="headline text-2xl">{t("page.gate.title")}</h1>
        <p className="text-ink-soft">{t("page.gate.text")}</p>
      </div>
      <Field label={t("page.gate.password")} error={message}>
        {(wiring) => (
          <PasswordInput
            {...wiring}
            name="password"
            autoComplete="off"
            required
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
        )}
      </Field>
      <Button type="submit" look="primary" busy={unlock.isPending} className="self-start">
        {t("page.gate.open")}
      </Button>
    </form>
  );
}
