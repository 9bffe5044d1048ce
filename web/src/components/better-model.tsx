/** Which recognition model would do better on this server: a link to its choice for administrators, a sentence for others. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { meQuery } from "@/api/account";

export function BetterModel({ model }: { model: string }) {
  const { t } = useTranslation("quality");
  const { data: me } = useQuery(meQuery());
  if (me?.role !== "admin") return <p>{t("better", { model })}</p>;
  return (
    <Link
      to="/admin/config?section=models"
      className="inline-flex min-h-6 items-center text-accent underline underline-offset-4 hover:text-accent-strong pointer-coarse:min-h-11"
    >
      {t("install", { model })}
    </Link>
  );
}
