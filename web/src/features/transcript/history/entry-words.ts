/** The label of an entry in the history. */
import { useTranslation } from "react-i18next";
import type { EditSession } from "@/api";
import { useLocale } from "@/hooks/use-locale";
import { formatDateTime } from "@/lib/format";
import type { Entry } from "./points";

interface EntryWords {
  title: string;
  note: string;
}

interface AuthorFields {
  by_me: boolean;
  author_name?: string | null;
  share?: EditSession["share"];
}

export function useEntryWords(): (entry: Entry) => EntryWords {
  const { t } = useTranslation(["history", "languages"]);
  const locale = useLocale();
  const author = ({ by_me, author_name, share }: AuthorFields) => {
    if (by_me) return t("you");
    const name = author_name ?? t("gone");
    // Visitors choose their own names, so they are always marked as visitors.
    return share ? t("visitor", { name, date: formatDateTime(share.created_at, locale) }) : name;
  };
  /** The edits, and in which languages passages were recognised again. */
  const sessionTitle = ({ edits, recognised_again }: EditSession) => {
    const names = [...new Set(recognised_again)].map((code) => t(`languages:${code}` as "languages:uk", { defaultValue: code }));
    const again = names.length > 0 ? t("history:recognisedAgain", { languages: names.join(", ") }) : null;
    const rest = edits - recognised_again.length;
    return [rest > 0 ? t("history:edits", { count: rest }) : null, again].filter(Boolean).join(" · ");
  };
  return (entry) => {
    switch (entry.kind) {
      case "session":
        return {
          title: sessionTitle(entry.session),
          note: [author(entry.session), formatDateTime(entry.session.to, locale)].join(" · "),
        };
      case "mark":
        return {
          title: entry.mark.name,
          note: [author(entry.mark), formatDateTime(entry.mark.at, locale)].join(" · "),
        };
      case "recognised":
        return { title: t("recognised"), note: formatDateTime(entry.run.at, locale) };
    }
  };
}
