/** The last resort when a page throws, or its code cannot be fetched. */
import { RotateCw } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useRouteError } from "react-router";
import { Button } from "@/components/button";

export function Crash() {
  const error = useRouteError();
  const { t } = useTranslation("shell");
  useEffect(() => console.error(error), [error]);
  return (
    <div role="alert" className="mx-auto flex max-w-xl flex-col items-start gap-4 px-6 py-16">
      <h2 className="headline text-3xl">{t("crash.title")}</h2>
      <p className="text-ink-soft">{t("crash.text")}</p>
      <Button look="primary" onClick={() => location.reload()}>
        <RotateCw aria-hidden="true" />
        {t("crash.reload")}
      </Button>
    </div>
  );
}
