/**
 * Administrators' actions on an account. Blocking asks for confirmation, because it ends the user's sessions;
 * unblocking does not. Administrators cannot block their own account.
 */
import { Pencil, Wallet } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useUser } from "@/api";
import { type ManagedUser, useSetStatus } from "@/api/admin";
import { Button } from "@/components/button";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { IconButton } from "@/components/icon-button";
import { useErrorText } from "@/hooks/use-error-text";
import { cx } from "@/lib/class-names";
import { toast } from "@/lib/toast";

const SHEETS = [
  { sheet: "edit", key: "edit", icon: Pencil },
  { sheet: "balance", key: "balance.open", icon: Wallet },
] as const;

/** The open sheet, and the account it is about. */
export interface OpenUser {
  sheet: "edit" | "balance";
  user: ManagedUser;
}

export interface UserListProps {
  /** Undefined while loading: shows placeholders. */
  users: readonly ManagedUser[] | undefined;
  onOpen: (open: OpenUser) => void;
}

interface UserActionsProps {
  user: ManagedUser;
  onOpen: (open: OpenUser) => void;
  /** Icons instead of labels, if there is no room for labels. */
  compact?: boolean;
  className?: string;
}

export function UserActions({ user, onOpen, compact = false, className }: UserActionsProps) {
  const { t } = useTranslation("admin");
  const self = useUser()?.id === user.id;
  const named = (action: string) => t("named", { action, email: user.email });
  return (
    <fieldset className={cx("flex flex-wrap items-center gap-2", className)}>
      <legend className="sr-only">{t("actions_for", { email: user.email })}</legend>
      {SHEETS.map(({ sheet, key, icon: Icon }) =>
        compact ? (
          <IconButton key={sheet} label={named(t(key))} className="size-8" onClick={() => onOpen({ sheet, user })}>
            <Icon aria-hidden="true" />
          </IconButton>
        ) : (
          <Button key={sheet} size="small" aria-label={named(t(key))} onClick={() => onOpen({ sheet, user })}>
            {t(key)}
          </Button>
        ),
      )}
      {/* In a table it keeps the column's alignment; a card shows it beside the name. */}
      {!self ? (
        <Block user={user} named={named} />
      ) : (
        compact && <span className="w-30 text-center text-sm text-ink-faint">{t("you")}</span>
      )}
    </fieldset>
  );
}

function Block({ user, named }: { user: ManagedUser; named: (action: string) => string }) {
  const { t } = useTranslation("admin");
  const errorText = useErrorText();
  const setStatus = useSetStatus();
  const blocked = user.status === "blocked";
  const [asking, setAsking] = useState(false);
  const label = t(blocked ? "unblock" : "block");
  // A filter may unmount the row before the mutation's own callbacks are called; a promise outlives it.
  const toggle = async () => {
    try {
      await setStatus.mutateAsync({ id: user.id, status: blocked ? "active" : "blocked" });
      toast.success(t(blocked ? "unblocked" : "blocked"));
    } catch (error) {
      toast.error(`${t("status_failed")}. ${errorText(error)}`);
    }
  };
  return (
    <>
      <Button
        size="small"
        className="w-30"
        busy={setStatus.isPending}
        aria-label={named(label)}
        onClick={() => (blocked ? void toggle() : setAsking(true))}
      >
        {label}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t("block_question")}
          text={t("block_text", { email: user.email })}
          confirm={t("block_yes")}
          onConfirm={toggle}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
