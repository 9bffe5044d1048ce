/**
 * /shared/{token}: a transcription for anybody with the link. It shows nothing of an account, and search engines must
 * not index it.
 */

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { NoLinks } from "@/components/drawings";
import { LocalePicker } from "@/components/locale-picker";
import { LogoWithName } from "@/components/logo";
import { Skeleton } from "@/components/skeleton";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { usePageTitle } from "@/hooks/use-page-title";
import { withTexts } from "@/lib/i18n";
import { lazyPart } from "@/lib/part";
import { isGone, isLocked, sharedQuery } from "./api";
import { SharedText } from "./shared-text";

/** Most links have no password, so its code is loaded on demand. */
const PasswordGate = lazyPart(async () => (await withTexts(import("./password-gate"), "auth")).PasswordGate);

export function SharedPage({ token }: { token: string }) {
  const { t } = useTranslation("sharing");
  const shared = useQuery(sharedQuery(token));
  const { data, error } = shared;
  // Also shown to visitors with the text open, after the password was changed.
  const locked = isLocked(error);
  usePageTitle((!locked && data?.title) || t("page.kicker"));
  if (locked) {
    return (
      <Frame>
        <Suspense fallback={<PageSkeleton />}>
          <PasswordGate token={token} />
        </Suspense>
      </Frame>
    );
  }
  if (data) {
    return (
      <Frame>
        <SharedText
          token={token}
          shared={data}
          link={{ ...shared, data: data.media_url ? { url: data.media_url } : undefined }}
        />
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

/** The page's frame: logo, language choice, and the text. */
function Frame({ children }: { children: ReactNode }) {
  const { t } = useTranslation("sharing");
  return (
    <div className="flex min-h-dvh flex-col">
      <meta name="robots" content="noindex, nofollow" />
      <header className="mx-auto flex h-16 w-full max-w-[60rem] shrink-0 items-center justify-between px-4 md:px-8">
        <LogoWithName />
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
