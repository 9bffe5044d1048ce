/** The folder and the tags of a job, in its row. */
import { useTranslation } from "react-i18next";
import type { Job } from "@/api";
import type { GroupKind, JobGroup } from "@/api/groups";
import { GroupIcon } from "./group-icon";
import { useGroupsOf } from "./use-groups";

export function GroupChips({ job }: { job: Job }) {
  // Most rows have none, and need no data then.
  return job.tags.length === 0 && job.folder == null ? null : <Chips job={job} />;
}

function Chips({ job }: { job: Job }) {
  const { t } = useTranslation("transcripts");
  const { folder, tags } = useGroupsOf(job);
  return (
    <ul aria-label={t("groups.of_row")} className="mt-1 flex flex-wrap gap-1.5">
      {folder && <Chip kind="folders" group={folder} />}
      {tags.map((tag) => (
        <Chip key={tag.id} kind="tags" group={tag} />
      ))}
    </ul>
  );
}

function Chip({ kind, group: { name, color } }: { kind: GroupKind; group: JobGroup }) {
  return (
    <li className="flex max-w-full items-center gap-1 rounded border border-rule-strong bg-paper-raised px-1.5 py-0.5 text-sm text-ink-soft">
      <GroupIcon kind={kind} color={color} className="size-3.5" />
      <span className="truncate">{name}</span>
    </li>
  );
}
