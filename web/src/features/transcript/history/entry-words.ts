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
  return (entry) => {
    switch (entry.kind) {
      case "session":
        return {
          title: t("edits", { count: entry.session.edits }),
          note: [entry.session.author_name ?? t("somebody"), formatDateTime(entry.session.to, locale)].join(" · "),
        };
      case "mark":
        return {
          title: entry.mark.name,
          note: [entry.mark.author_name ?? t("somebody"), formatDateTime(entry.mark.at, locale)].join(" · "),
        };
      case "recognised":
        return { title: t("recognised"), note: formatDateTime(entry.run.at, locale) };
    }
  };
}
