/** Signing in with Google or another OpenID Connect provider, if the server has one. */
import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { authOptionsQuery, type GoogleIntent, googleStart } from "@/api";
import { useLocale } from "@/hooks/use-locale";
import { planOfReturnTarget, returnTargetFrom } from "@/lib/chosen-plan";
import { storeGoogleSignIn } from "./google-sign-in-state";
import { LegalSentence } from "./legal";

interface GoogleButtonProps {
  intent: GoogleIntent;
  /** Whether the session outlives the browser. */
  remember: boolean;
}

export function GoogleButton({ intent, remember }: GoogleButtonProps) {
  const { t } = useTranslation("auth");
  const { data: options } = useQuery(authOptionsQuery());
  const locale = useLocale();
  const back = returnTargetFrom(useLocation());
  if (!options?.google) return null;
  const name = options.provider ?? "";
  return (
    <div className="mt-5 flex flex-col gap-4">
      <p className="flex items-center gap-3 text-sm text-ink-faint before:h-px before:flex-1 before:bg-rule-strong after:h-px after:flex-1 after:bg-rule-strong">
        {t("google.or")}
      </p>
      <a
        href={googleStart(intent, remember, locale, planOfReturnTarget(back))}
        onClick={() => storeGoogleSignIn({ intent, remember, ...back })}
        className="inline-flex h-(--control) w-full items-center justify-center gap-2.5 rounded border border-edge bg-paper-raised px-4 text-[0.9375rem] font-strong text-ink transition-colors hover:bg-paper-sunk"
      >
        <ProviderMark address={options.provider_mark} isGoogle={options.provider_is_google} />
        <span className="min-w-0 truncate">{t("google.button", { name })}</span>
      </a>
      {/* On both pages, because signing in creates an account if there is none. */}
      <p className="text-sm text-ink-faint">
        <LegalSentence text="google.agree" name={name} />
      </p>
    </div>
  );
}

interface ProviderMarkProps {
  /** URL of the configured logo; null without one. */
  address: string | null;
  isGoogle: boolean;
}

/**
 * The configured logo of the provider; by default Google's G, or a key for other providers and if the image fails to
 * load.
 */
function ProviderMark({ address, isGoogle }: ProviderMarkProps) {
  const [failed, setFailed] = useState(false);
  if (address && !failed) {
    // The provider's name is beside it. An image in `img` cannot run scripts.
    return <img src={address} alt="" className="size-4.5 shrink-0 object-contain" onError={() => setFailed(true)} />;
  }
  return isGoogle ? <GoogleMark /> : <KeyRound aria-hidden="true" className="size-4.5 shrink-0" />;
}

/** Google's G in its own colours, as required by its guidelines. */
function GoogleMark() {
  return (
    <svg viewBox="0 0 18 18" aria-hidden="true" className="size-4.5 shrink-0">
      <path
        fill="#4285F4"
        d="M17.64 9.2c0-.64-.06-1.25-.16-1.84H9v3.48h4.84a4.14 4.14 0 0 1-1.8 2.72v2.26h2.92c1.7-1.57 2.68-3.88 2.68-6.62Z"
      />
      <path
        fill="#34A853"
        d="M9 18c2.43 0 4.47-.8 5.96-2.18l-2.92-2.26c-.8.54-1.84.86-3.04.86-2.34 0-4.32-1.58-5.03-3.7H.96v2.33A9 9 0 0 0 9 18Z"
      />
      <path fill="#FBBC05" d="M3.97 10.71a5.41 5.41 0 0 1 0-3.42V4.96H.96a9 9 0 0 0 0 8.08l3.01-2.33Z" />
      <path
        fill="#EA4335"
        d="M9 3.58c1.32 0 2.5.45 3.44 1.35l2.58-2.59A9 9 0 0 0 .96 4.96l3.01 2.33C4.68 5.16 6.66 3.58 9 3.58Z"
      />
    </svg>
  );
}
