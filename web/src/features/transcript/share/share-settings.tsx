/** Settings of an existing link: visitors' rights and the password. */
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, type Share } from "@/api";
import { Button } from "@/components/button";
import { InlineConfirm } from "@/components/inline-confirm";
import { useErrorText } from "@/hooks/use-error-text";
import { useViolationText } from "@/hooks/use-violation-text";
import { toast } from "@/lib/toast";
import { useChangeShare, useSharePassword } from "./api";
import { LinkPassword } from "./link-password";
import { lacksConsent, OpenEditField, RightsField, ShownFields, type Visitors } from "./visitors";

interface ShareSettingsProps {
  jobId: string;
  share: Share;
}

export function ShareSettings({ jobId, share }: ShareSettingsProps) {
  const { t } = useTranslation("sharing");
  const errorText = useErrorText();
  const change = useChangeShare(jobId, share.id);
  const { rights, with_media, with_confidence } = share;
  const [visitors, setVisitors] = useState<Visitors>({ rights, with_media, with_confidence });
  const [unprotected, setUnprotected] = useState(false);
  // If visitors can already edit, the owner has confirmed it before.
  const protectedAlready = share.has_password || rights === "edit";

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const open = lacksConsent(visitors, protectedAlready);
    setUnprotected(open);
    if (open) return;
    change.mutate(visitors, {
      onSuccess: () => {
        // The confirmation is for this change only; it is required again the next time.
        setVisitors((current) => ({ ...current, edit_without_password: false }));
        toast.success(t("share.settings.saved"));
      },
      onError: (error) => toast.error(`${t("share.settings.failed")}. ${errorText(error)}`),
    });
  };

  return (
    <div className="flex flex-col gap-5 rounded bg-paper-sunk p-4">
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <RightsField value={visitors} onChange={setVisitors} />
        <ShownFields value={visitors} onChange={setVisitors} />
        {visitors.rights === "edit" && !protectedAlready && (
          <OpenEditField
            value={visitors}
            onChange={(next) => {
              setVisitors(next);
              setUnprotected(false);
            }}
            missing={unprotected}
          />
        )}
        <Button type="submit" size="small" busy={change.isPending} className="self-start">
          {t("share.settings.save")}
        </Button>
      </form>
      <PasswordForm jobId={jobId} share={share} />
    </div>
  );
}

function PasswordForm({ jobId, share }: ShareSettingsProps) {
  const { t } = useTranslation("sharing");
  const errorText = useErrorText();
  const violationText = useViolationText();
  const set = useSharePassword(jobId, share.id);
  const [password, setPassword] = useState("");

  const submit = async (next: string | null) => {
    try {
      await set.mutateAsync({ password: next, edit_without_password: next === null && share.rights === "edit" });
      setPassword("");
      toast.success(t(next === null ? "share.password.isRemoved" : "share.password.isSet"));
    } catch (error) {
      if (brokenBy(error)) return;
      toast.error(`${t("share.password.failed")}. ${errorText(error)}`);
    }
  };

  const broken = brokenBy(set.error);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(password);
      }}
      className="flex flex-col gap-3 border-t border-rule pt-4"
    >
      <p className="text-sm text-ink-soft">{t(share.has_password ? "share.password.on" : "share.password.off")}</p>
      <LinkPassword
        label={t("share.password.new")}
        value={password}
        error={broken && violationText(broken)}
        onChange={setPassword}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" busy={set.isPending && set.variables.password !== null}>
          {t(share.has_password ? "share.password.change" : "share.password.set")}
        </Button>
        {share.has_password &&
          (share.rights === "edit" ? (
            <InlineConfirm
              label={t("share.password.remove")}
              question={t("share.editing.noPassword")}
              confirm={t("share.password.remove")}
              onConfirm={() => submit(null)}
            />
          ) : (
            <Button
              size="small"
              look="quiet"
              busy={set.isPending && set.variables.password === null}
              onClick={() => void submit(null)}
            >
              {t("share.password.remove")}
            </Button>
          ))}
      </div>
    </form>
  );
}

/** The violation of the password, if that is the error. */
export const brokenBy = (error: unknown) =>
  error instanceof ApiError ? error.violations.find(({ field }) => field === "password") : undefined;
