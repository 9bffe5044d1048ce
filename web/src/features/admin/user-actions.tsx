/**
 * What an administrator can do with an account. Blocking is taken back by the same button, so it does not ask; full
 * access is given and taken away with a question. One's own row offers nothing: nobody locks themselves out.
 */
import { useTranslation } from "react-i18next";
import { useUser } from "@/api";
import { type ManagedUser, useSetRole, useSetStatus } from "@/api/admin";
import { Button } from "@/components/button";
import { InlineConfirm } from "@/components/inline-confirm";
import { useErrorText } from "@/hooks/use-error-text";
import { cx } from "@/lib/class-names";
import { toast } from "@/lib/toast";

export function UserActions({ user, className }: { user: ManagedUser; className?: string }) {
  const { t } = useTranslation("admin");
  const self = useUser()?.id === user.id;
  const errorText = useErrorText();
  const setStatus = useSetStatus();
  const setRole = useSetRole();
  if (self) {
    return (
      <p className={cx("flex text-sm text-ink-faint", className)}>
        {t("own")} ({t("you")})
      </p>
    );
  }
  const named = (action: string) => t("named", { action, email: user.email });

  const blocked = user.status === "blocked";
  const toggleStatus = () =>
    setStatus.mutate(
      { id: user.id, status: blocked ? "active" : "blocked" },
      {
        onSuccess: () => toast.success(t(blocked ? "unblocked" : "blocked")),
        onError: (error) => toast.error(`${t("status_failed")}. ${errorText(error)}`),
      },
    );

  const admin = user.role === "admin";
  const toggleRole = async () => {
    try {
      await setRole.mutateAsync({ id: user.id, role: admin ? "user" : "admin" });
      toast.success(t("role_changed"));
    } catch (error) {
      toast.error(`${t("role_failed")}. ${errorText(error)}`);
    }
  };

  const statusLabel = t(blocked ? "unblock" : "block");
  const roleLabel = t(admin ? "remove_admin" : "make_admin");
  return (
    <fieldset className={cx("flex flex-wrap items-center gap-2", className)}>
      <legend className="sr-only">{t("actions_for", { email: user.email })}</legend>
      <Button size="small" busy={setStatus.isPending} aria-label={named(statusLabel)} onClick={toggleStatus}>
        {statusLabel}
      </Button>
      <InlineConfirm
        label={roleLabel}
        description={named(roleLabel)}
        question={t(admin ? "remove_admin_question" : "make_admin_question")}
        confirm={t(admin ? "remove_yes" : "make_yes")}
        onConfirm={toggleRole}
      />
    </fieldset>
  );
}
