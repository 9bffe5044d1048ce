/** Requests a reset link. The answer does not reveal whether there is such an account. */
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { ApiError, forgotPassword } from "@/api";
import { Button, LinkButton } from "@/components/button";
import { Field, TextInput } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { OutboxNote } from "@/components/outbox-note";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { useLocale } from "@/hooks/use-locale";
import { usePageTitle } from "@/hooks/use-page-title";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { returnTarget } from "@/lib/return-target";
import { normalizeEmail, validateNewsletter } from "@/rules";
import { AuthLayout } from "./auth-layout";
import { isAnswer } from "./failures";

export function ForgotPage() {
  const { t } = useTranslation("auth");
  usePageTitle(t("forgot.title"));
  const state = useLocation().state as { email?: unknown } | null;
  const [email, setEmail] = useState(typeof state?.email === "string" ? state.email : "");
  const [sentTo, setSentTo] = useState<string | null>(null);

  if (sentTo !== null) return <Sent email={sentTo} onAgain={() => setSentTo(null)} />;
  return (
    <AuthLayout title={t("forgot.title")} lead={t("forgot.lead")}>
      <ForgotForm email={email} onEmail={setEmail} onSent={() => setSentTo(normalizeEmail(email))} />
      <p className="mt-6 text-[0.9375rem]">
        <Link to="/login" state={returnTarget(state)} className="font-strong text-accent underline underline-offset-4">
          {t("forgot.to_login")}
        </Link>
      </p>
    </AuthLayout>
  );
}

interface ForgotFormProps {
  email: string;
  onEmail: (email: string) => void;
  onSent: () => void;
}

function ForgotForm({ email, onEmail, onSent }: ForgotFormProps) {
  const { t } = useTranslation("auth");
  const violationText = useViolationText();
  const errorText = useErrorText();
  const locale = useLocale();
  const [broken, setBroken] = useState<BrokenRule | undefined>();
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const { form: element, refused } = useInvalidFocus();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // The rules have only this check for a single address.
    const [fault] = validateNewsletter(email);
    setBroken(fault);
    setFailure(null);
    if (fault) return refused();
    setBusy(true);
    try {
      await forgotPassword(normalizeEmail(email), locale);
      onSent();
    } catch (error) {
      setBusy(false);
      const [refusal] = error instanceof ApiError ? error.violations : [];
      if (refusal) setBroken(refusal);
      else setFailure(error);
      refused();
    }
  };

  return (
    <form ref={element} onSubmit={submit} noValidate className="flex flex-col gap-5">
      <FormAlert text={failure === null ? null : isAnswer(failure) ? errorText(failure) : t("exception")} />
      <Field label={t("email")} error={broken && violationText(broken)}>
        {(wiring) => (
          <TextInput
            {...wiring}
            type="email"
            name="email"
            autoComplete="username"
            value={email}
            onChange={(event) => {
              onEmail(event.target.value);
              setBroken(undefined);
              setFailure(null);
            }}
          />
        )}
      </Field>
      <Button type="submit" look="primary" busy={busy} className="w-full">
        {busy ? t("forgot.submitting") : t("forgot.submit")}
      </Button>
    </form>
  );
}

function Sent({ email, onAgain }: { email: string; onAgain: () => void }) {
  const { t } = useTranslation("auth");
  const back = returnTarget(useLocation().state);
  return (
    <AuthLayout view="sent" title={t("forgot.sent_title")} lead={t("forgot.sent_text", { email })}>
      <div className="flex flex-col gap-5">
        <OutboxNote />
        <div className="flex flex-wrap items-center gap-3">
          <LinkButton to="/login" state={back} look="primary">
            {t("forgot.to_login")}
          </LinkButton>
          <Button look="quiet" onClick={onAgain}>
            {t("forgot.again")}
          </Button>
        </div>
      </div>
    </AuthLayout>
  );
}
