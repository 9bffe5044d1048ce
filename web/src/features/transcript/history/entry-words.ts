/** How a place in the history is called. */
import { useTranslation } from "react-i18next";
import { useLocale } from "@/hooks/use-locale";
import { formatDateTime } from "@/lib/format";
import type { Entry } from "./points";

interface EntryWords {
  title: string;
  note: string;
}

export function useEntryWords(): (entry: Entry) => EntryWords {
  const { t } = useTranslation("history");
  const locale = useLocale();
  const author = ({ by_me, author_name }: { by_me: boolean; author_name?: string | null }) =>
    by_me ? t("you") : (author_name ?? t("gone"));
  return (entry) => {
    switch (entry.kind) {
      case "session":
        return {
          title: t("edits", { count: entry.session.edits }),
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
