/** Admits administrators only. The server is asked, because the session may be older than the role. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, Outlet } from "react-router";
import { meQuery } from "@/api/account";
import { Loading } from "@/components/loading";
import { ErrorState } from "@/components/state-panel";
import { toast } from "@/lib/toast";
import { PATHS } from "./paths";

export function RequireAdmin() {
  const { t } = useTranslation("shell");
  const me = useQuery(meQuery());
  if (me.data?.role === "admin") return <Outlet />;
  // A cached response may be older than the role.
  if (me.isFetching) return <Loading text={t("admin.checking")} />;
  if (me.data) return <Denied />;
  if (me.isError) {
    return <ErrorState title={t("admin.check_failed")} error={me.error} onRetry={() => void me.refetch()} />;
  }
  return <Loading text={t("admin.checking")} />;
}

function Denied() {
  const { t } = useTranslation("shell");
  const text = t("admin.denied");
  useEffect(() => {
    toast.error(text);
  }, [text]);
  return <Navigate to={PATHS.dashboard} replace />;
}
