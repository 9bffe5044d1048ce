/** The account's sessions, with buttons to end them. */
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { sessionsQuery, useEndOtherSessions, useEndSession } from "@/api/account";
import { InlineConfirm } from "@/components/inline-confirm";
import { Skeleton } from "@/components/skeleton";
import { ErrorState } from "@/components/state-panel";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";
import { Section } from "./section";
import { SessionRow } from "./session-row";

const SKELETONS = ["a", "b"];

export function Sessions() {
  const { t } = useTranslation("settings");
  const errorText = useErrorText();
  const heading = useRef<HTMLHeadingElement>(null);
  const { data: sessions, error, refetch } = useQuery(sessionsQuery());
  const endSession = useEndSession();
  const endOthers = useEndOtherSessions();

  /** Ended sessions disappear from the list, so the focus moves to the start of the list. */
  const end = async (action: Promise<unknown>) => {
    try {
      await action;
      heading.current?.focus();
    } catch (error) {
      toast.error(`${t("sessions.end_failed")}. ${errorText(error)}`);
    }
  };

  return (
    <Section title={t("sessions.title")} text={t("sessions.text")} headingRef={heading}>
      {error && !sessions ? (
        <ErrorState className="py-4" title={t("sessions.load_failed")} error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <ul aria-label={t("sessions.title")} aria-busy={!sessions} className="border-t border-rule">
            {sessions
              ? sessions.map((session) => (
                  <SessionRow key={session.id} session={session} onEnd={() => end(endSession.mutateAsync(session.id))} />
                ))
              : SKELETONS.map((key) => <SkeletonRow key={key} />)}
          </ul>
          {sessions && (
            <div className="mt-4">
              {sessions.some((session) => !session.current) ? (
                <InlineConfirm
                  label={t("sessions.end_others")}
                  question={t("sessions.end_others_question")}
                  confirm={t("sessions.end_others_yes")}
                  onConfirm={() => end(endOthers.mutateAsync(undefined))}
                />
              ) : (
                <p className="text-sm text-ink-soft">{t("sessions.only_one")}</p>
              )}
            </div>
          )}
        </>
      )}
    </Section>
  );
}

function SkeletonRow() {
  return (
    <li className="flex items-start gap-3 border-b border-rule py-3.5">
      <Skeleton className="size-5" />
      <div className="flex flex-1 flex-col gap-2">
        <Skeleton className="h-5 w-2/5" />
        <Skeleton className="h-4 w-3/5" />
      </div>
    </li>
  );
}
