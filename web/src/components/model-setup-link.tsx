/** A link for administrators to the setup of a language model. Hidden from other users. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { meQuery } from "@/api/account";

export function ModelSetupLink() {
  const { t } = useTranslation("analysis");
  const { data: me } = useQuery(meQuery());
  if (me?.role !== "admin") return null;
  return (
    <Link to="/admin/config?section=analysis#url" className="text-accent underline underline-offset-4 hover:text-accent-strong">
      {t("held.setup")}
    </Link>
  );
}
