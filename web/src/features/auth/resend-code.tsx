/** Sends another code, once enough time has passed since the last one. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import { ApiError, resendCode } from "@/api";
import { Button } from "@/components/button";
import { useErrorText } from "@/hooks/use-error-text";
import { formatClock } from "@/lib/format";
import { returnTarget } from "@/lib/return-target";
import { toast } from "@/lib/toast";
import { spokenSeconds, useCountdown } from "./countdown";
import { resendFailure } from "./failures";
import { type PendingSignup, pendingSignup } from "./pending-signup";
import type { CodeRefusal } from "./use-verify";

interface ResendCodeProps {
  signup: PendingSignup;
  onSent: () => void;
  /** The server no longer knows the registration. */
  onGone: (why: CodeRefusal) => void;
}

export function ResendCode({ signup, onSent, onGone }: ResendCodeProps) {
  const { t } = useTranslation("auth");
  const { busy, resend } = useResend(signup, onSent, onGone);
  const secondsLeft = useCountdown(signup.resendAt);
  const [waited, setWaited] = useState(secondsLeft > 0);
  if (secondsLeft > 0 && !waited) setWaited(true);

  return (
    <p className="mt-4 flex flex-wrap items-center justify-center gap-x-1">
      <Button look="quiet" busy={busy} disabled={secondsLeft > 0} onClick={() => void resend()} className="text-accent">
        {t("verify.resend")}
      </Button>
      {secondsLeft > 0 && (
        <span aria-hidden="true" className="figures text-sm text-ink-faint">
          {t("verify.resend_in", { time: formatClock(secondsLeft) })}
        </span>
      )}
      <span role="status" className="sr-only">
        {secondsLeft > 0 ? t("verify.wait", { count: spokenSeconds(secondsLeft) }) : waited && t("verify.ready")}
      </span>
    </p>
  );
}

function useResend(signup: PendingSignup, onSent: () => void, onInvalid: (why: CodeRefusal) => void) {
  const { t } = useTranslation("auth");
  const errorText = useErrorText();
  const navigate = useNavigate();
  const state: unknown = useLocation().state;
  const [busy, setBusy] = useState(false);

  /** In the history entry, so that it survives a reload. */
  const keep = (next: PendingSignup) => navigate("/verify", { replace: true, state: { ...returnTarget(state), signup: next } });

  const fail = async (error: unknown) => {
    switch (resendFailure(error)) {
      case "gone":
        return onInvalid("expired");
      case "superseded":
        return onInvalid("superseded");
      case "wait":
        toast.error(errorText(error));
        if (error instanceof ApiError && error.retryAfter !== null) {
          await keep({ ...signup, resendAt: Date.now() + error.retryAfter * 1000 });
        }
        return;
      case "failed":
        return void toast.error(t("verify.resend_failed"));
      case "exception":
        return void toast.error(t("exception"));
    }
  };

  const resend = async () => {
    setBusy(true);
    try {
      const answer = await resendCode(signup.registration);
      await keep(pendingSignup(answer, signup.remember, Date.now()));
      if (answer.sent) {
        toast.success(t("verify.resent"));
        onSent();
      } else toast.error(t("verify.resend_failed"));
    } catch (error) {
      await fail(error);
    } finally {
      setBusy(false);
    }
  };

  return { busy, resend };
}
