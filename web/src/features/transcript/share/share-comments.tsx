/** Visitors' comments on lines of this transcript, and the owner's answers. */
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ShareComment } from "@/api";
import { Button } from "@/components/button";
import { CONTROL, Field } from "@/components/field";
import { InlineConfirm } from "@/components/inline-confirm";
import { ErrorState } from "@/components/state-panel";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { formatClock, formatDateTime } from "@/lib/format";
import { toast } from "@/lib/toast";
import { commentsQuery, useAnswer, useDeleteComment } from "./api";

export function ShareComments({ jobId }: { jobId: string }) {
  const { t } = useTranslation("sharing");
  const comments = useQuery(commentsQuery(jobId));
  const { data, error } = comments;
  if (!data) {
    return (
      error && (
        <ErrorState title={t("share.comments.failed")} error={error} onRetry={() => void comments.refetch()} className="py-6" />
      )
    );
  }
  // Hidden without comments.
  if (data.length === 0) return null;
  return (
    <section aria-labelledby="share-comments" className="flex flex-col gap-2">
      <h3 id="share-comments" className="kicker">
        {t("share.comments.title")}
      </h3>
      <p className="text-sm text-ink-soft">{t("share.comments.unchecked")}</p>
      <ul className="flex flex-col divide-y divide-rule">
        {data.map((comment) => (
          <CommentRow key={comment.id} jobId={jobId} comment={comment} />
        ))}
      </ul>
    </section>
  );
}

function CommentRow({ jobId, comment }: { jobId: string; comment: ShareComment }) {
  const { t } = useTranslation("sharing");
  const locale = useLocale();
  const errorText = useErrorText();
  const remove = useDeleteComment(jobId);
  const [answering, setAnswering] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const answered = useRef(false);
  const { name, answer } = comment;

  useEffect(() => {
    if (answered.current && !answering) opener.current?.focus();
    answered.current = answering;
  }, [answering]);

  const facts = [formatDateTime(comment.created_at, locale), comment.share_id == null && t("share.comments.revoked")];
  return (
    <li aria-label={t("share.comments.of", { name })} className="flex flex-col gap-2 py-3">
      <p className="border-l-2 border-rule-strong pl-3 text-sm text-ink-soft">
        <span className="figures mr-2 text-xs">{formatClock(comment.start)}</span>
        {comment.line}
      </p>
      <p className="text-sm">
        <span className="font-strong wrap-anywhere">{name}</span>
        <span className="text-ink-soft">{`\u00A0· ${facts.filter(Boolean).join("\u00A0· ")}`}</span>
      </p>
      <p className="whitespace-pre-line wrap-anywhere">{comment.text}</p>
      {answering ? (
        <AnswerForm jobId={jobId} comment={comment} onDone={() => setAnswering(false)} />
      ) : (
        <>
          {answer != null && (
            <div className="rounded bg-paper-sunk px-3 py-2">
              <p className="text-sm font-strong">{t("share.comments.yours")}</p>
              <p className="whitespace-pre-line wrap-anywhere">{answer}</p>
            </div>
          )}
          <div className="flex flex-wrap gap-2">
            <Button
              ref={opener}
              size="small"
              aria-label={answer == null ? t("share.comments.answerTo", { name }) : undefined}
              onClick={() => setAnswering(true)}
            >
              {t(answer == null ? "share.comments.answer" : "share.comments.change")}
            </Button>
            <InlineConfirm
              label={t("share.comments.delete")}
              description={t("share.comments.deleteThis", { name })}
              question={t("share.comments.deleteQuestion")}
              confirm={t("share.comments.deleteYes")}
              onConfirm={() =>
                remove.mutateAsync(comment.id).then(
                  () => toast.success(t("share.comments.deleted")),
                  (error: unknown) => toast.error(`${t("share.comments.deleteFailed")}. ${errorText(error)}`),
                )
              }
            />
          </div>
        </>
      )}
    </li>
  );
}

interface AnswerFormProps {
  jobId: string;
  comment: ShareComment;
  onDone: () => void;
}

function AnswerForm({ jobId, comment, onDone }: AnswerFormProps) {
  const { t } = useTranslation("sharing");
  const errorText = useErrorText();
  const answer = useAnswer(jobId, comment.id);
  const [text, setText] = useState(comment.answer ?? "");
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);

  const save = (next: string | null) =>
    answer.mutate(next, {
      onSuccess: () => {
        toast.success(t(next === null ? "share.comments.answerRemoved" : "share.comments.answered"));
        onDone();
      },
      onError: (error) => toast.error(`${t("share.comments.answerFailed")}. ${errorText(error)}`),
    });

  return (
    <form
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        // An empty answer is deleted.
        const next = text.trim() === "" ? null : text;
        if (next !== null || comment.answer != null) save(next);
        else field.current?.focus();
      }}
      className="flex flex-col gap-3"
    >
      <Field label={t("share.comments.text")}>
        {(wiring) => (
          <textarea
            {...wiring}
            ref={field}
            rows={2}
            className={`${CONTROL} h-auto min-h-16 resize-y py-2`}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" look="primary" busy={answer.isPending}>
          {t("share.comments.send")}
        </Button>
        {comment.answer != null && (
          <Button size="small" onClick={() => save(null)}>
            {t("share.comments.remove")}
          </Button>
        )}
        <Button size="small" look="quiet" onClick={onDone}>
          {t("share.comments.cancel")}
        </Button>
      </div>
    </form>
  );
}
