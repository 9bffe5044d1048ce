/** All entries of the history, by run, the newest first. */
import { Bookmark, FileText, PencilLine, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/icon-button";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatDateTime } from "@/lib/format";
import { toast } from "@/lib/toast";
import { useDeleteMark } from "./api";
import { useEntryWords } from "./entry-words";
import { type Chapter, type Entry, type Point, samePoint } from "./points";

const SIGNS = { session: PencilLine, mark: Bookmark, recognised: FileText } as const;

interface EntryListProps {
  jobId: string;
  chapters: readonly Chapter[];
  present: Point;
  chosen: string | null;
  onChoose: (key: string) => void;
}

export function EntryList({ jobId, chapters, present, chosen, onChoose }: EntryListProps) {
  const { t } = useTranslation(["history", "rules"]);
  const locale = useLocale();
  return (
    <div className="flex flex-col gap-6">
      {chapters.map(({ run, entries }) => (
        <section key={run.version} aria-labelledby={`run-${run.version}`}>
          <h3 id={`run-${run.version}`} className="kicker flex flex-wrap items-center gap-x-2">
            {t("history:run.title", { number: run.version })}
            {run.version === present.version && <span className="text-good normal-case">{t("history:run.shown")}</span>}
          </h3>
          <p className="mb-1.5 text-sm text-ink-faint">
            {t(`rules:transcription_type.${run.mode}`)} · <span className="figures">{run.model}</span> ·{" "}
            {formatDateTime(run.at, locale)}
          </p>
          <ul className="-mx-2 flex flex-col">
            {entries.map((entry) => (
              <Row
                key={entry.key}
                jobId={jobId}
                entry={entry}
                isPresent={samePoint(entry.point, present) && entry.kind !== "mark"}
                isChosen={entry.key === chosen}
                onChoose={() => onChoose(entry.key)}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface RowProps {
  jobId: string;
  entry: Entry;
  isPresent: boolean;
  isChosen: boolean;
  onChoose: () => void;
}

function Row({ jobId, entry, isPresent, isChosen, onChoose }: RowProps) {
  const { t } = useTranslation("history");
  const words = useEntryWords();
  const { title, note } = words(entry);
  const Sign = SIGNS[entry.kind];
  return (
    <li className="flex items-center">
      <button
        type="button"
        aria-current={isChosen || undefined}
        onClick={onChoose}
        className={cx(
          "flex min-h-12 min-w-0 flex-1 items-start gap-2.5 rounded px-2 py-2 text-left",
          isChosen ? "bg-accent-wash" : "hover:bg-paper-sunk",
        )}
      >
        <Sign
          aria-hidden="true"
          className={cx("mt-1 size-4 shrink-0", entry.kind === "mark" ? "text-accent" : "text-ink-faint")}
        />
        <span className="min-w-0 flex-1">
          <span className={cx("block text-[0.9375rem] wrap-anywhere", entry.kind === "mark" && "font-strong")}>{title}</span>
          <span className="block text-sm text-ink-faint">
            {note}
            {isPresent && (
              <>
                {" · "}
                <span className="text-good">{t("now")}</span>
              </>
            )}
          </span>
        </span>
      </button>
      {entry.kind === "mark" && <DeleteMark jobId={jobId} markId={entry.mark.id} name={entry.mark.name} />}
    </li>
  );
}

/** Deletes the name only, not the state: it can easily be named again. */
function DeleteMark({ jobId, markId, name }: { jobId: string; markId: string; name: string }) {
  const { t } = useTranslation("history");
  const errorText = useErrorText();
  const remove = useDeleteMark(jobId);
  return (
    <IconButton
      label={t("name.delete", { name })}
      busy={remove.isPending}
      onClick={() =>
        remove.mutate(markId, {
          onSuccess: () => toast.success(t("name.deleted", { name })),
          onError: (error) => toast.error(`${t("name.deleteFailed")}. ${errorText(error)}`),
        })
      }
    >
      <Trash2 aria-hidden="true" />
    </IconButton>
  );
}
