/** The questions and answers, and the answer being written. */

import { useQuery } from "@tanstack/react-query";
import { CircleAlert, MessagesSquare, RotateCw } from "lucide-react";
import { Fragment, type ReactNode, Suspense, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import type { AssistantMessage, AssistantMode } from "@/api/assistant";
import { capabilitiesQuery } from "@/api/capabilities";
import { Button } from "@/components/button";
import { isNotInPlan, NotInPlan } from "@/components/not-in-plan";
import { Skeleton } from "@/components/skeleton";
import { ErrorState } from "@/components/state-panel";
import { useConnectionStatus } from "@/hooks/use-connection-status";
import { useErrorText } from "@/hooks/use-error-text";
import { TimeButton } from "../analysis/time-button";
import { useFailureText } from "../analysis/use-failure-text";
import { Markdown } from "../markdown";
import type { AnswerFailure, Conversation } from "./use-conversation";

interface ThreadProps {
  conversation: Conversation;
  onPlay: (seconds: number) => void;
  language: string;
}

const EXAMPLES = ["first", "second", "third"] as const;

export function Thread({ conversation, onPlay, language }: ThreadProps) {
  const { t } = useTranslation("analysis");
  const { history, current, ending, ask } = conversation;
  const end = useRef<HTMLDivElement>(null);
  const count = history.data?.messages.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: new messages are at the end
  useEffect(() => void end.current?.scrollIntoView({ block: "nearest" }), [count, current?.question, current?.text, ending]);

  if (history.error && !history.data) {
    return <ErrorState title={t("assistant.loadFailed")} error={history.error} onRetry={() => void history.refetch()} />;
  }
  if (!history.data) {
    return (
      <div role="status" aria-label={t("assistant.loading")} className="flex flex-col gap-3">
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-16 w-full" />
      </div>
    );
  }
  const { mode, messages } = history.data;
  if (mode === "none") {
    return <NoAssistant />;
  }
  const empty = messages.length === 0 && !current && !ending;
  // A question that was refused or never reached the server is not in the stored conversation.
  const lost = ending && messages.findLast(({ role }) => role === "user")?.text !== ending.question;
  return (
    <>
      <ModeNote mode={mode} />
      {empty && <Examples onAsk={ask} />}
      <ol aria-label={t("assistant.messages")} className="mt-4 flex flex-col gap-4 empty:hidden">
        {messages.map((message, at) => {
          const isLast = at === messages.length - 1;
          const answered = messages[at + 1]?.role === "assistant" || (isLast && (current ?? ending) !== null);
          return (
            <Fragment key={message.id}>
              <Message message={message} mode={mode} onPlay={onPlay} language={language} />
              {message.role === "user" && !answered && <Unanswered onAgain={isLast ? () => ask(message.text) : undefined} />}
            </Fragment>
          );
        })}
        {current && (
          <>
            <Question text={current.question} />
            <li aria-busy="true">{current.text ? <AnswerText text={current.text} /> : <Thinking />}</li>
          </>
        )}
        {lost && <Question text={ending.question} />}
      </ol>
      {ending && <EndingNote ending={ending} onAgain={() => ask(ending.question)} />}
      <p role="status" className="sr-only">
        {current ? t("assistant.thinking") : (messages.at(-1)?.role === "assistant" && messages.at(-1)?.text) || ""}
      </p>
      <div ref={end} />
    </>
  );
}

function ModeNote({ mode }: { mode: AssistantMode }) {
  const { t } = useTranslation("analysis");
  const { data } = useQuery(capabilitiesQuery());
  const host = data?.text_goes_to;
  return (
    <p className="text-sm text-ink-faint">
      {mode === "passages"
        ? t("assistant.modes.passages")
        : host
          ? t("assistant.modes.endpoint", { host })
          : t("assistant.modes.endpointOnly")}
    </p>
  );
}

function NoAssistant() {
  const { t } = useTranslation("analysis");
  return (
    <div className="m-auto flex flex-col items-center gap-2 py-6 text-center">
      <MessagesSquare aria-hidden="true" className="size-8 text-ink-faint" strokeWidth={1.5} />
      <h4 className="headline text-lg">{t("assistant.none.title")}</h4>
      <p className="max-w-[40ch] text-[0.9375rem] text-ink-soft">{t("assistant.none.text")}</p>
    </div>
  );
}

function Examples({ onAsk }: { onAsk: (question: string) => void }) {
  const { t } = useTranslation("analysis");
  return (
    <div className="mt-5">
      <p className="text-[0.9375rem]">{t("assistant.lead")}</p>
      <p className="kicker mt-4 mb-2">{t("assistant.examples.label")}</p>
      <ul className="flex flex-col items-start gap-1.5">
        {EXAMPLES.map((example) => (
          <li key={example}>
            <button
              type="button"
              onClick={() => onAsk(t(`assistant.examples.${example}`))}
              className="min-h-9 rounded border border-rule-strong px-3 py-1.5 text-left text-[0.9375rem] hover:border-edge hover:bg-paper-sunk pointer-coarse:min-h-11"
            >
              {t(`assistant.examples.${example}`)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface MessageProps {
  message: AssistantMessage;
  mode: AssistantMode;
  onPlay: (seconds: number) => void;
  language: string;
}

function Message({ message, onPlay, language }: MessageProps) {
  const { t } = useTranslation("analysis");
  const { role, text, moments, engine, incomplete } = message;
  if (role === "user") {
    return <Question text={text} />;
  }
  const quotes = engine?.kind === "embedded";
  return (
    <li className="min-w-0">
      {quotes && <p className="kicker mb-1">{t("assistant.quotes")}</p>}
      <AnswerText text={text} onPlay={onPlay} {...(quotes && { language })} />
      {/* An answer without citations still shows its sources. */}
      {moments.length > 0 && !/\[\d+(:\d\d){1,2}\]/.test(text) && (
        <p className="mt-1 -ml-1.5 flex flex-wrap">
          {moments.map((moment) => (
            <TimeButton key={`${moment.segment} ${moment.start}`} at={moment.start} onPlay={onPlay} />
          ))}
        </p>
      )}
      {incomplete && <p className="mt-1 text-sm text-warn">{t("assistant.incomplete")}</p>}
    </li>
  );
}

function Question({ text }: { text: string }) {
  const { t } = useTranslation("analysis");
  return (
    <li className="ml-6 self-end rounded-lg bg-paper-sunk px-3 py-2 whitespace-pre-wrap wrap-anywhere">
      <span className="sr-only">{t("assistant.you")}: </span>
      {text}
    </li>
  );
}

/** An earlier question without an answer; the reason is not stored. */
function Unanswered({ onAgain }: { onAgain: (() => void) | undefined }) {
  const { t } = useTranslation("analysis");
  return (
    <li className="-mt-2.5 flex flex-wrap items-center justify-end gap-x-1 self-end text-sm text-ink-faint">
      {t("assistant.unanswered")}
      {onAgain && (
        <Button size="small" look="quiet" onClick={onAgain}>
          <RotateCw aria-hidden="true" />
          {t("assistant.again")}
        </Button>
      )}
    </li>
  );
}

interface AnswerTextProps {
  text: string;
  onPlay?: (seconds: number) => void;
  language?: string;
}

function AnswerText({ text, onPlay, language }: AnswerTextProps): ReactNode {
  return (
    <div lang={language}>
      <Suspense fallback={<p className="whitespace-pre-wrap wrap-anywhere">{text}</p>}>
        <Markdown text={text} onPlay={onPlay} className="text-[0.9375rem]" />
      </Suspense>
    </div>
  );
}

function Thinking() {
  const { t } = useTranslation("analysis");
  return (
    <>
      <p className="text-sm text-ink-faint">{t("assistant.thinking")}</p>
      <Skeleton className="mt-2 h-2.5 w-4/5" />
      <Skeleton className="mt-2 h-2.5 w-3/5" />
    </>
  );
}

function EndingNote({ ending, onAgain }: { ending: AnswerFailure; onAgain: () => void }) {
  const { t } = useTranslation("analysis");
  const errorText = useErrorText();
  const failureText = useFailureText();
  const online = useConnectionStatus() === "up";
  if (ending.error instanceof ApiError && isNotInPlan(ending.error.violations)) {
    return (
      <div role="alert" className="mt-3 rounded bg-warn-wash px-3 py-2.5 text-[0.9375rem]">
        <NotInPlan />
      </div>
    );
  }
  const text =
    ending.kind === "failed"
      ? typeof ending.error === "string"
        ? failureText(ending.error)
        : errorText(ending.error)
      : t(ending.kind === "cut" ? "assistant.cut" : "assistant.stopped");
  return (
    <div role="alert" className="mt-3 flex flex-col items-start gap-2 rounded bg-warn-wash px-3 py-2.5 text-[0.9375rem]">
      <p className="flex items-start gap-2">
        <CircleAlert aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-warn" />
        {text}
      </p>
      {online && (
        <Button size="small" onClick={onAgain}>
          <RotateCw aria-hidden="true" />
          {t("assistant.again")}
        </Button>
      )}
    </div>
  );
}
