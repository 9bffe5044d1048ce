/** Tells where to find a mail on a local trial server without a mail server. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { authOptionsQuery } from "@/api";

export function OutboxNote() {
  const { t } = useTranslation("auth");
  const { data: options } = useQuery(authOptionsQuery());
  if (options?.mail !== false) return null;
  return <p className="rounded bg-note-wash px-3.5 py-3 text-[0.9375rem]">{t("outbox")}</p>;
}
