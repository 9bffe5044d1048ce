/**
 * Actions on an account as a whole: sending a password link, ending sessions, exporting, deleting. An administrator's
 * own account is managed in the settings.
 */
import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useUser } from "@/api";
import type { ManagedUser } from "@/api/admin";
import { useDeleteUser, useEndUserSessions, useExportUser, useSendPasswordLink } from "@/api/admin-accounts";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { InlineConfirm } from "@/components/inline-confirm";
import { useErrorText } from "@/hooks/use-error-text";
import { useMailResult } from "@/hooks/use-mail-result";
import { download } from "@/lib/download";
import { toast } from "@/lib/toast";

interface AccountActionsProps {
  user: ManagedUser;
  /** Called after the account was deleted. */
  onDeleted: () => void;
}

export function AccountActions({ user, onDeleted }: AccountActionsProps) {
  const { t } = useTranslation("admin");
  const self = useUser()?.id === user.id;
  const errorText = useErrorText();
  const mailNews = useMailResult();
  const link = useSendPasswordLink();
  const sessions = useEndUserSessions();
  const remove = useDeleteUser();
  const [deleting, setDeleting] = useState(false);
  if (self) return <p className="text-sm text-ink-faint">{t("account.own")}</p>;
  const named = (action: string) => t("named", { action, email: user.email });
  const sendLink = () =>
    link.mutate(user.id, {
      onSuccess: ({ mailed }) =>
        mailNews(mailed, { sent: t("account.link_sent"), kept: t("account.link_kept"), unsent: t("account.link_unsent") }),
      onError: (error) => toast.error(`${t("account.link_unsent")}. ${errorText(error)}`),
    });
  const endSessions = async () => {
    try {
      await sessions.mutateAsync(user.id);
      toast.success(t("account.sessions_ended"));
    } catch (error) {
      toast.error(`${t("account.sessions_failed")}. ${errorText(error)}`);
    }
  };
  const confirm = async () => {
    try {
      await remove.mutateAsync(user.id);
      toast.success(t("account.deleted"));
      onDeleted();
    } catch (error) {
      toast.error(`${t("account.delete_failed")}. ${errorText(error)}`);
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      {user.status === "active" && (
        <Button size="small" busy={link.isPending} aria-label={named(t("account.link"))} onClick={sendLink}>
          {t("account.link")}
        </Button>
      )}
      <InlineConfirm
        label={t("account.sessions")}
        description={named(t("account.sessions"))}
        question={t("account.sessions_question")}
        confirm={t("account.sessions_yes")}
        onConfirm={endSessions}
      />
      <Button size="small" look="danger" aria-label={named(t("account.delete"))} onClick={() => setDeleting(true)}>
        {t("account.delete")}
      </Button>
      {deleting && (
        <ConfirmDialog
          title={t("account.delete_question")}
          text={t("account.delete_text", { email: user.email })}
          confirm={t("account.delete_yes")}
          onConfirm={confirm}
          onClose={() => setDeleting(false)}
        >
          <Archive id={user.id} />
        </ConfirmDialog>
      )}
    </div>
  );
}

/** Offers the data that would be lost as an archive. */
function Archive({ id }: { id: string }) {
  const { t } = useTranslation("admin");
  const errorText = useErrorText();
  const [recordings, setRecordings] = useState(false);
  const link = useExportUser();
  return (
    <div className="flex flex-col items-start gap-3 rounded border border-rule bg-paper px-4 py-3 text-sm">
      <p>{t("account.archive_text")}</p>
      <Checkbox checked={recordings} onChange={setRecordings}>
        {t("account.archive_recordings")}
      </Checkbox>
      <Button
        size="small"
        busy={link.isPending}
        onClick={() => link.mutate({ id, recordings }, { onSuccess: ({ url }) => download(url) })}
      >
        {!link.isPending && <Download aria-hidden="true" />}
        {t("account.archive")}
      </Button>
      <p role="status" className="text-ink-soft empty:hidden">
        {link.isSuccess && t("account.archive_started")}
        {link.error && errorText(link.error)}
      </p>
    </div>
  );
}
