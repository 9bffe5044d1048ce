/** Shown if the app itself could not be loaded: no connection, or a browser without WebAssembly. */
import { RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";
import { LogoWithName } from "./logo";

export function StartFailure() {
  const { t } = useTranslation("shell");
  return (
    <main className="mx-auto flex min-h-dvh max-w-xl flex-col items-start justify-center gap-4 px-6">
      <LogoWithName />
      <h1 className="headline text-3xl">{t("start_failure.title")}</h1>
      <p className="text-ink-soft">{t("start_failure.text")}</p>
      <Button look="primary" onClick={() => location.reload()}>
        <RotateCw aria-hidden="true" />
        {t("crash.reload")}
      </Button>
    </main>
  );
}
