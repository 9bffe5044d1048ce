/** Enters the code from the mail, which creates the account. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { authOptionsQuery } from "@/api";
import { Button, LinkButton } from "@/components/button";
import { Field, TextInput } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { OutboxNote } from "@/components/outbox-note";
import { usePageTitle } from "@/hooks/use-page-title";
import { returnTarget } from "@/lib/return-target";
import { validateCode } from "@/rules";
import { AuthLayout } from "./auth-layout";
import { normalizeCode } from "./code";
import { signupOfState } from "./pending-signup";
import { ResendCode } from "./resend-code";
import { type CodeRefusal, useVerify } from "./use-verify";

export function VerifyPage() {
  const { t } = useTranslation("auth");
  usePageTitle(t("verify.title"));
  const state: unknown = useLocation().state;
  const signup = signupOfState(state);
  const { data: options } = useQuery(authOptionsQuery());
  const [code, setCode] = useState("");
  const { element, fieldError, failure, gone, busy, clear, submit, setGone } = useVerify(signup, code);

  if (gone) return <InvalidCode known={signup !== null} why={gone} />;
  const lead = () => {
    if (!signup) return t("verify.lead_unknown");
    // If mail is not configured, the note below says where to find it.
    const sent = signup.sent && options?.mail !== false;
    return t(sent ? "verify.lead" : "verify.lead_unsent", { email: signup.email });
  };
  return (
    <AuthLayout title={t("verify.title")} lead={lead()}>
      <form ref={element} onSubmit={submit} noValidate className="flex flex-col gap-5">
        <FormAlert text={failure ?? (signup?.sent === false ? t("verify.not_sent") : null)} />
        <OutboxNote />
        <Field label={t("verify.code")} hint={t("verify.hint")} error={fieldError}>
          {(wiring) => (
            <TextInput
              {...wiring}
              name="code"
              inputMode="text"
              autoComplete="one-time-code"
              autoCapitalize="characters"
              autoCorrect="off"
              spellCheck={false}
              value={code}
              onChange={(event) => {
                setCode(normalizeCode(event.target.value));
                clear();
              }}
              className="figures h-14 text-center indent-[0.35em] text-2xl! tracking-[0.35em]!"
            />
          )}
        </Field>
        <Button type="submit" look="primary" busy={busy} disabled={validateCode(code).length > 0} className="w-full">
          {busy ? t("verify.submitting") : t("verify.submit")}
        </Button>
      </form>
      {signup && <ResendCode signup={signup} onSent={clear} onGone={setGone} />}
      <p className="mt-6 text-[0.9375rem] text-ink-soft">
        {t("verify.wrong_address")}{" "}
        <Link to="/signup" state={returnTarget(state)} className="font-strong text-accent underline underline-offset-4">
          {t("verify.other_address")}
        </Link>
      </p>
    </AuthLayout>
  );
}

/** No registration for this code: it has expired, was started elsewhere, or was replaced. */
function InvalidCode({ known, why }: { known: boolean; why: CodeRefusal }) {
  const { t } = useTranslation("auth");
  const back = returnTarget(useLocation().state);
  // After a replaced registration there usually is an account already.
  const startsAnew = known && why === "expired";
  return (
    <AuthLayout
      view="gone"
      title={t(known ? `verify.${why}_title` : "verify.none_title")}
      lead={t(known ? `verify.${why}_text` : "verify.none_text")}
    >
      <div className="flex flex-wrap gap-3">
        <LinkButton to="/signup" state={back} look={startsAnew ? "primary" : "outline"}>
          {t("signup.submit")}
        </LinkButton>
        <LinkButton to="/login" state={back} look={startsAnew ? "outline" : "primary"}>
          {t("login.submit")}
        </LinkButton>
      </div>
    </AuthLayout>
  );
}
