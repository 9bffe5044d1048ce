import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { LinkButton } from "@/components/button";
import { Logo } from "@/components/logo";
import { useHeadingFocus } from "@/hooks/use-heading-focus";
import { usePageTitle } from "@/hooks/use-page-title";
import { HOME } from "./paths";

export function NotFound() {
  const { t } = useTranslation("shell");
  const { pathname } = useLocation();
  usePageTitle(t("not_found.title"));
  const heading = useHeadingFocus(pathname);
  return (
    <main className="mx-auto flex min-h-dvh max-w-2xl flex-col justify-center gap-5 px-6 py-16">
      <p className="figures flex items-center gap-4 text-ink-faint">
        <Logo className="h-10" />
        404
      </p>
      <h1 ref={heading} tabIndex={-1} className="headline text-4xl sm:text-6xl">
        {t("not_found.title")}
      </h1>
      <p className="max-w-[46ch] text-lg text-ink-soft">{t("not_found.text", { path: pathname })}</p>
      <LinkButton to={HOME} loads look="primary" className="mt-2 self-start">
        {t("not_found.home")}
      </LinkButton>
    </main>
  );
}
