/**
 * The notice about a lost connection: the number of unsent changes, and a short confirmation once they are saved. It
 * stays below the header while the page scrolls. Screen readers announce the changes of state, but not each count.
 */
import { Check, CloudOff, LoaderCircle } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useUser } from "@/api";
import { useConnectionStatus } from "@/hooks/use-connection-status";
import { cx } from "@/lib/class-names";
import { type ConnectionNotice, connectionNotice } from "@/lib/connection-notice";
import { countUnsent, unsent } from "@/lib/unsent";

const SIGNS = {
  away: { icon: CloudOff, look: "bg-note-wash text-ink" },
  saving: { icon: LoaderCircle, look: "bg-note-wash text-ink [&>svg]:animate-spin" },
  saved: { icon: Check, look: "bg-good-wash text-good" },
} as const;

export function ConnectionBar() {
  const { t } = useTranslation();
  const line = useConnectionStatus();
  const count = useUnsent();
  const news = useNews(line !== "up", count);
  const text = useText(news, line, count);
  const announcement = useAnnouncement(news, text);
  const sign = news && SIGNS[news];
  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {sign && (
        <section
          aria-label={t("connection.label")}
          data-testid="connection"
          data-news={news}
          className={cx(
            "sticky top-(--header-height) z-20 flex items-start gap-2.5 border-b border-rule px-4 py-2 text-sm md:px-8",
            sign.look,
          )}
        >
          <sign.icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <p>{text}</p>
        </section>
      )}
    </>
  );
}

/** Number of unsent changes, of this page and others in this browser. */
function useUnsent(): number {
  const user = useUser();
  const open = useStore(unsent);
  const line = useConnectionStatus();
  const [, look] = useState(0);
  useEffect(() => {
    const other = () => look((times) => times + 1);
    window.addEventListener("storage", other);
    return () => window.removeEventListener("storage", other);
  }, []);
  // Storage is not read while the connection is up and nothing is unsent.
  const asks = line !== "up" || [...open.open.values()].some((count) => count > 0);
  return user && asks ? countUnsent(localStorage, user.id, open) : 0;
}

function useNews(away: boolean, count: number): ConnectionNotice | null {
  const news = useStore(connectionNotice, (state) => state.notice);
  useEffect(() => connectionNotice.getState().update(away, count), [away, count]);
  return news;
}

function useText(news: ConnectionNotice | null, line: "up" | "offline" | "away", count: number): string {
  const { t } = useTranslation();
  switch (news) {
    case null:
      return "";
    case "away": {
      const why = t(line === "offline" ? "connection.offline" : "connection.away");
      return `${why} ${count > 0 ? t("connection.waiting", { count }) : t("connection.nothing")}`;
    }
    case "saving":
      return t("connection.saving", { count });
    case "saved":
      return t("connection.saved");
  }
}

/** Long enough to be announced; afterwards the bar itself can be read. */
const SAID_MS = 3_000;

/** The announced text: as it was when the state changed, without later counts. */
function useAnnouncement(news: ConnectionNotice | null, text: string): string {
  const [announcement, setAnnouncement] = useState("");
  const speak = useEffectEvent(() => setAnnouncement(text));
  // biome-ignore lint/correctness/useExhaustiveDependencies: it speaks when there is other news
  useEffect(() => {
    speak();
    const timer = setTimeout(() => setAnnouncement(""), SAID_MS);
    return () => clearTimeout(timer);
  }, [news]);
  return announcement;
}
