/** The frame of the sign-in pages: the form, and beside it a poem laid out like a transcript. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { LocalePicker } from "@/components/locale-picker";
import { LogoWithName } from "@/components/logo";
import { useHeadingFocus } from "@/hooks/use-heading-focus";
import { HelpButton } from "./help-button";
import { LegalLink } from "./legal";
import { Poem } from "./poem";

interface AuthLayoutProps {
  title: string;
  lead: string;
  /** Identifies the current view of the page, so that screen readers announce a change like a new page. */
  view?: string;
  children: ReactNode;
}

export function AuthLayout({ title, lead, view = "", children }: AuthLayoutProps) {
  const { t } = useTranslation("auth");
  const heading = useHeadingFocus(useLocation().pathname + view);
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <div className="flex min-w-0 flex-col px-5 sm:px-10">
        <header className="flex h-16 shrink-0 items-center justify-between">
          <LogoWithName />
          <div className="flex items-center gap-1">
            <LocalePicker />
            <HelpButton />
          </div>
        </header>
        <main className="flex flex-1 flex-col justify-center py-8">
          <div className="mx-auto w-full max-w-104">
            <h1 ref={heading} tabIndex={-1} className="headline text-[2rem] sm:text-4xl">
              {title}
            </h1>
            <p className="mt-3 mb-7 break-words text-ink-soft">{lead}</p>
            {children}
          </div>
        </main>
        <footer className="flex flex-wrap items-center gap-x-5 gap-y-1 py-5 text-sm text-ink-faint">
          <span>{t("copyright", { year: new Date().getFullYear() })}</span>
          <LegalLink which="terms">{t("legal.terms")}</LegalLink>
          <LegalLink which="privacy">{t("legal.privacy")}</LegalLink>
        </footer>
      </div>
      <Poem className="hidden border-l border-rule bg-paper-sunk lg:flex" />
    </div>
  );
}
