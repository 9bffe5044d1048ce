/** The list of sources, and the dialogs opened from it. */
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SourceList } from "@/api/schema";
import type { Source } from "@/api/sources";
import { Button } from "@/components/button";
import { useGone } from "../places/use-gone";
import { DeleteSource } from "./delete-source";
import { RecordingsSheet } from "./recordings-sheet";
import { SourceEditor } from "./source-editor";
import { SourceRow } from "./source-row";

interface SourcesProps {
  list: SourceList;
  /** A row with the focus has disappeared. */
  onGone: () => void;
}

/** The sheet or dialog that is open over the page. */
type Open = { over: "editor"; source: Source | null } | { over: "recordings" | "delete"; source: Source };

export function Sources({ list, onGone }: SourcesProps) {
  const { t } = useTranslation("sources");
  const [open, show] = useState<Open | null>(null);
  const gone = useGone(open !== null, onGone);
  const close = () => show(null);

  return (
    <div className="flex flex-col gap-4">
      <Button className="self-start" onClick={() => show({ over: "editor", source: null })}>
        <Plus aria-hidden="true" />
        {t("add")}
      </Button>
      {list.sources.length === 0 ? (
        <p className="max-w-[60ch] text-[0.9375rem] text-pretty text-ink-soft">{t("empty")}</p>
      ) : (
        <ul aria-label={t("title")} className="border-t border-rule">
          {list.sources.map((source) => (
            <SourceRow
              key={source.id}
              source={source}
              onEdit={() => show({ over: "editor", source })}
              onRecordings={() => show({ over: "recordings", source })}
              onDelete={() => show({ over: "delete", source })}
            />
          ))}
        </ul>
      )}
      {open?.over === "editor" && (
        <SourceEditor source={open.source} kinds={list.kinds} watchedFolders={list.watched_folders} onClose={close} />
      )}
      {open?.over === "recordings" && <RecordingsSheet source={open.source} onClose={close} />}
      {open?.over === "delete" && <DeleteSource source={open.source} onDeleted={gone} onClose={close} />}
    </div>
  );
}
