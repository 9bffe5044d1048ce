/** A link: URL, expiry, and visits; it can be copied, changed and withdrawn. */
import { Copy, Eye, Settings2 } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Share } from "@/api";
import { Button } from "@/components/button";
import { InlineConfirm } from "@/components/inline-confirm";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { copyText } from "@/lib/clipboard";
import { formatAgo, formatDateTime } from "@/lib/format";
import { toast } from "@/lib/toast";
import { useWithdrawShare } from "./api";
import { OpeningsList } from "./openings-list";
import { ShareSettings } from "./share-settings";

interface ShareRowProps {
  jobId: string;
  share: Share;
  /** It has just been created. */
  fresh: boolean;
}

/** The expanded part below the link. */
type Part = "openings" | "settings" | null;

export function ShareRow({ jobId, share, fresh }: ShareRowProps) {
  const { t } = useTranslation("sharing");
  const locale = useLocale();
  const errorText = useErrorText();
  const withdraw = useWithdrawShare(jobId);
  const [openPart, setPart] = useState<Part>(null);
  const partId = useId();
  const over = share.expires_at != null && Date.parse(share.expires_at) <= Date.now();

  const copy = async () => {
    if (await copyText(share.url)) toast.success(t("share.copied"));
    else toast.error(t("share.copyFailed"));
  };

  const facts = [
    share.expires_at == null
      ? t("share.forever")
      : t(over ? "share.over" : "share.until", { date: formatDateTime(share.expires_at, locale) }),
    t(share.with_media ? "share.heard" : "share.textOnly"),
    share.has_password && t("share.withPassword"),
    share.rights === "comment" && t("share.commentsOn"),
    share.rights === "edit" && t("share.editsOn"),
    share.with_confidence && t("share.confidenceShown"),
    t("share.opened", { count: share.opened }) +
      (share.last_opened_at == null ? "" : ` (${formatAgo(share.last_opened_at, locale)})`),
  ].filter(Boolean);
  const date = formatDateTime(share.created_at, locale);
  const toggle = (part: Exclude<Part, null>) => setPart(part === openPart ? null : part);

  return (
    <li className={cx("flex flex-col gap-2 py-3", fresh && "-mx-3 rounded bg-accent-wash px-3")}>
      <input
        readOnly
        value={share.url}
        aria-label={t("share.url")}
        onFocus={({ currentTarget }) => currentTarget.select()}
        className={cx(
          "figures h-9 w-full min-w-0 truncate rounded border border-rule bg-paper px-2.5 text-sm",
          over ? "text-ink-faint line-through" : "text-ink",
        )}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-sm text-ink-soft">{facts.join("\u00A0· ")}</p>
        <div className="flex flex-wrap gap-2 sm:ml-auto">
          {!over && (
            <Button size="small" onClick={() => void copy()}>
              <Copy aria-hidden="true" />
              {t("share.copy")}
            </Button>
          )}
          {share.opened > 0 && (
            <Button
              size="small"
              aria-expanded={openPart === "openings"}
              aria-controls={partId}
              aria-label={t("share.openings.of", { date })}
              onClick={() => toggle("openings")}
            >
              <Eye aria-hidden="true" />
              {t("share.openings.show")}
            </Button>
          )}
          {!over && (
            <Button
              size="small"
              aria-expanded={openPart === "settings"}
              aria-controls={partId}
              aria-label={t("share.settings.of", { date })}
              onClick={() => toggle("settings")}
            >
              <Settings2 aria-hidden="true" />
              {t("share.settings.open")}
            </Button>
          )}
          <InlineConfirm
            label={t("share.withdraw")}
            description={t("share.withdrawThis", { date })}
            question={t("share.withdrawQuestion")}
            confirm={t("share.withdrawYes")}
            onConfirm={() =>
              withdraw.mutateAsync(share.id).then(
                () => toast.success(t("share.withdrawn")),
                (error: unknown) => toast.error(`${t("share.withdrawFailed")}. ${errorText(error)}`),
              )
            }
          />
        </div>
      </div>
      <div id={partId} className="empty:hidden">
        {openPart === "openings" && <OpeningsList jobId={jobId} share={share} />}
        {openPart === "settings" && <ShareSettings jobId={jobId} share={share} />}
      </div>
    </li>
  );
}
