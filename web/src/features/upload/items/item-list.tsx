/** The recordings on the tray, in order, and jobs created from some of them. */
import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useStore } from "zustand";
import type { Choice } from "@/domain/settings/settings-draft";
import type { StartedJob, TrayItem } from "../tray-model";
import { uploadTray } from "../upload-tray";
import { useDiscard } from "../use-discard";
import { ItemRow } from "./item-row";

interface ItemListProps {
  started: readonly StartedJob[];
  /** The recording whose settings are shown below; null if all have the same. */
  chosen: { key: string; onChoose: (key: string) => void; choiceOf: (item: TrayItem) => Choice } | null;
  /** Above the rows. */
  children?: ReactNode;
}

export function ItemList({ started, chosen, children }: ItemListProps) {
  const { t } = useTranslation("upload");
  const items = useStore(uploadTray, (state) => state.items);
  const discard = useDiscard();
  return (
    <section aria-label={t("items.label")} className="rounded-lg border border-rule bg-paper-raised">
      {children}
      <ul className="max-h-96 divide-y divide-rule overflow-y-auto rounded-lg">
        {started.map(({ key, name, jobId }) => (
          <li key={key} className="flex items-center gap-3 px-4 py-2.5 text-sm">
            <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-good" />
            <p className="min-w-0 grow truncate">
              {t("items.started")} <span className="text-ink-soft">{name}</span>
            </p>
            <Link to={`/transcription/${jobId}`} className="shrink-0 font-strong text-accent underline underline-offset-4">
              {t("items.open")}
              <span className="sr-only"> {name}</span>
            </Link>
          </li>
        ))}
        {items.map((item) => (
          <ItemRow
            key={item.key}
            item={item}
            choice={
              chosen && {
                chosen: chosen.key === item.key,
                onChoose: () => chosen.onChoose(item.key),
                settings: chosen.choiceOf(item),
              }
            }
            sayJobError={items.length > 1}
            onDiscard={() => discard(item)}
          />
        ))}
      </ul>
    </section>
  );
}
