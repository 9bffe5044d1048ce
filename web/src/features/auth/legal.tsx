/** Links to the terms and the privacy policy, which are public pages. */
import type { ReactNode } from "react";
import { Trans, useTranslation } from "react-i18next";
import { cx } from "@/lib/class-names";

interface LegalLinkProps {
  which: "terms" | "privacy";
  /** Within a form: opens in a new tab, so that no input is lost. */
  beside?: boolean;
  className?: string;
  children?: ReactNode;
}

/** A link to the document that it names. */
export function LegalLink({ which, beside = false, className, children }: LegalLinkProps) {
  return (
    <a
      href={`/${which}`}
      {...(beside && { target: "_blank", rel: "noopener" })}
      className={cx("underline underline-offset-4 hover:text-ink", className)}
    >
      {children}
    </a>
  );
}

/** A sentence with links to both documents. */
export function LegalSentence({ text, name = "" }: { text: "signup.terms" | "google.agree"; name?: string }) {
  const { t } = useTranslation("auth");
  return (
    <Trans
      t={t}
      i18nKey={text}
      values={{ name }}
      components={{
        terms: <LegalLink which="terms" beside className="text-accent" />,
        privacy: <LegalLink which="privacy" beside className="text-accent" />,
      }}
    />
  );
}
