/** /shared/{token}: a transcription for whoever has the link. Nothing of an account is on it, and no search engine is to list it. */

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { NoLinks } from "@/components/drawings";
import { LocalePicker } from "@/components/locale-picker";
import { NameMark } from "@/components/name-mark";
import { Skeleton } from "@/components/skeleton";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { usePageTitle } from "@/hooks/use-page-title";
import { isGone, sharedQuery } from "./api";
import { SharedText } from "./shared-text";

export function SharedPage({ token }: { token: string }) {
  const { t } = useTranslation("sharing");
  const shared = useQuery(sharedQuery(token));
  usePageTitle(shared.data?.title ?? t("page.kicker"));
  const { data, error } = shared;
  if (data) {
    return (
      <Frame>
        <SharedText shared={data} link={{ ...shared, data: data.media_url ? { url: data.media_url } : undefined }} />
      </Frame>
    );
  }
  if (isGone(error)) {
    return (
      <Frame>
        <EmptyState drawing={NoLinks} title={t("page.gone")} text={t("page.goneText")} />
      </Frame>
    );
  }
  return (
    <Frame>
      {error ? <ErrorState title={t("page.loadFailed")} error={error} onRetry={() => void shared.refetch()} /> : <PageSkeleton />}
    </Frame>
  );
}

/** A quiet page of its own: the name, the languages, and the text. */
function Frame({ children }: { children: ReactNode }) {
  const { t } = useTranslation("sharing");
  return (
    <div className="flex min-h-dvh flex-col">
      <meta name="robots" content="noindex, nofollow" />
      <header className="mx-auto flex h-16 w-full max-w-[60rem] shrink-0 items-center justify-between px-4 md:px-8">
        <NameMark />
        <LocalePicker />
      </header>
      <main className="mx-auto flex w-full max-w-[60rem] flex-1 flex-col px-4 md:px-8">{children}</main>
      <footer className="mx-auto w-full max-w-[60rem] px-4 py-4 text-sm text-ink-faint md:px-8">{t("page.made")}</footer>
    </div>
  );
}

function PageSkeleton() {
  const { t } = useTranslation("sharing");
  return (
    <div role="status" aria-label={t("page.loading")} className="flex flex-col gap-5 pt-6">
      <Skeleton className="h-8 w-80 max-w-full" />
      {["w-11/12", "w-full", "w-9/12", "w-10/12", "w-7/12"].map((width) => (
        <Skeleton key={width} className={`h-4 ${width}`} />
      ))}
    </div>
  );
}
