/** A visitor's message. */
import { Check, CircleDashed, Reply, Trash2 } from "lucide-react";
import { useId, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type ContactMessage, useSetHandled } from "@/api/admin-messages";
import { Button } from "@/components/button";
import { IconButton } from "@/components/icon-button";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatDateTime, formatFullDateTime } from "@/lib/format";
import { toast } from "@/lib/toast";
import { useDeleteMessage } from "./deletion";
import { replyTo } from "./reply";

export function MessageItem({ message }: { message: ContactMessage }) {
  const { t } = useTranslation("admin-messages");
  const locale = useLocale();
  const errorText = useErrorText();
  const setHandled = useSetHandled();
  const remove = useDeleteMessage();
  const id = useId();
  const name = `${message.first_name} ${message.last_name}`.trim();
  const handled = message.handled_at !== null;
  const toggle = () =>
    setHandled.mutate(
      { id: message.id, handled: !handled },
      { onError: (error) => toast.error(`${t("contact.handle_failed")}. ${errorText(error)}`) },
    );
  return (
    <li aria-labelledby={id} className="border-b border-rule py-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 id={id} className="min-w-0 wrap-anywhere">
          <span className="font-strong">{name}</span> <span className="text-ink-soft">{message.email}</span>
        </h3>
        <p className="flex flex-wrap items-baseline gap-x-3 text-sm text-ink-soft">
          <State handled={handled} />
          <time dateTime={message.created_at} title={formatFullDateTime(message.created_at, locale)}>
            {formatDateTime(message.created_at, locale)}
          </time>
        </p>
      </div>
      <Text text={message.message} language={message.locale} />
      <div className="mt-2.5 flex flex-wrap items-center gap-2">
        <a
          href={replyTo(message, t("contact.subject"))}
          aria-label={t("contact.reply_to", { name })}
          className="inline-flex h-8 items-center gap-2 rounded border border-edge bg-paper-raised px-3 text-sm font-strong hover:bg-paper-sunk pointer-coarse:h-11"
        >
          <Reply aria-hidden="true" className="size-4" />
          {t("contact.reply")}
        </a>
        <Button size="small" look="quiet" busy={setHandled.isPending} onClick={toggle}>
          {t(handled ? "contact.unhandle" : "contact.handle")}
        </Button>
        {message.mailed_at && (
          <span className="text-sm text-ink-faint" title={formatFullDateTime(message.mailed_at, locale)}>
            {t("contact.mailed")}
          </span>
        )}
        <IconButton
          label={t("contact.delete", { name })}
          className="ml-auto size-8 pointer-coarse:size-11"
          onClick={() => remove(message.id)}
        >
          <Trash2 aria-hidden="true" />
        </IconButton>
      </div>
    </li>
  );
}

function State({ handled }: { handled: boolean }) {
  const { t } = useTranslation("admin-messages");
  const Sign = handled ? Check : CircleDashed;
  return (
    <span
      className={cx(
        "inline-flex items-center gap-1.5 self-center rounded-sm px-1.5 py-0.5 whitespace-nowrap",
        handled ? "bg-good-wash text-good" : "bg-warn-wash text-warn",
      )}
    >
      <Sign aria-hidden="true" className="size-3.5 shrink-0" />
      {t(handled ? "contact.handled" : "contact.open")}
    </span>
  );
}

/** The beginning of the text, expandable. */
function Text({ text, language }: { text: string; language: string }) {
  const { t } = useTranslation("admin-messages");
  const [expanded, setExpanded] = useState(false);
  const [cut, setCut] = useState(false);
  const paragraph = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    const element = paragraph.current;
    if (element && !expanded) setCut(element.scrollHeight > element.clientHeight + 1);
  }, [expanded]);
  return (
    <>
      <p
        ref={paragraph}
        lang={language}
        className={cx("mt-1.5 max-w-[72ch] whitespace-pre-line wrap-anywhere", !expanded && "line-clamp-6")}
      >
        {text}
      </p>
      {cut && (
        <Button size="small" look="quiet" aria-expanded={expanded} className="mt-1 -ml-3" onClick={() => setExpanded(!expanded)}>
          {t(expanded ? "contact.less" : "contact.whole")}
        </Button>
      )}
    </>
  );
}
