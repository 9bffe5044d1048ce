/** Comments on a line, and the form for a new one. */
import { MessageSquarePlus } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { SharedComment } from "@/api";
import { Button } from "@/components/button";
import { useLocale } from "@/hooks/use-locale";
import { formatClock, formatDateTime } from "@/lib/format";
import { newUuid } from "@/lib/tab-client";
import { CommentForm } from "./comment-form";
import { useCommenting } from "./comments";

export function LineNote({ line, start }: { line: string; start: number }) {
  const { t } = useTranslation("sharing");
  const locale = useLocale();
  const commenting = useCommenting();
  const opener = useRef<HTMLButtonElement>(null);
  const writing = commenting?.draft?.line === line ? commenting.draft : null;
  const wrote = useRef(false);

  // After sending or cancelling, the focus returns to where it was.
  useEffect(() => {
    if (wrote.current && !writing) opener.current?.focus();
    wrote.current = writing !== null;
  }, [writing]);

  if (!commenting) return null;
  const comments = commenting.byLine.get(line) ?? [];
  return (
    <div lang={locale} className="mt-1 mb-2 flex flex-col items-start gap-2">
      {comments.length > 0 && (
        <ul aria-label={t("page.comments.of", { time: formatClock(start) })} className="flex w-full flex-col gap-2">
          {comments.map((comment) => (
            <li key={comment.id}>
              <CommentView comment={comment} />
            </li>
          ))}
        </ul>
      )}
      {writing ? (
        <CommentForm draft={writing} start={start} commenting={commenting} />
      ) : (
        commenting.on && (
          <Button
            ref={opener}
            size="small"
            look="quiet"
            className="-ml-3"
            aria-label={t("page.comments.writeOn", { time: formatClock(start) })}
            onClick={() => commenting.setDraft({ id: newUuid(), line, text: "" })}
          >
            <MessageSquarePlus aria-hidden="true" />
            {t("page.comments.write")}
          </Button>
        )
      )}
    </div>
  );
}

/** Names and texts are untrusted input, rendered as plain text. */
export function CommentView({ comment, quoted = false }: { comment: SharedComment; quoted?: boolean }) {
  const { t } = useTranslation("sharing");
  const locale = useLocale();
  return (
    <div className="rounded border-l-2 border-accent bg-paper-sunk px-3 py-2 text-[0.9375rem]">
      {quoted && (
        <p className="mb-1 text-sm text-ink-soft">
          <span className="figures mr-2 text-xs">{formatClock(comment.start)}</span>
          {comment.line}
        </p>
      )}
      <p className="text-sm">
        <span className="font-strong wrap-anywhere">{comment.name}</span>
        <span className="text-ink-soft">
          {"\u00A0· "}
          {formatDateTime(comment.created_at, locale)}
        </span>
      </p>
      <p className="whitespace-pre-line wrap-anywhere">{comment.text}</p>
      {comment.answer != null && (
        <div className="mt-2 border-t border-rule pt-2">
          <p className="text-sm font-strong">{t("page.comments.answer")}</p>
          <p className="whitespace-pre-line wrap-anywhere">{comment.answer}</p>
        </div>
      )}
    </div>
  );
}
