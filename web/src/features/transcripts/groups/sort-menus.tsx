/** Menus with tags and a folder for the selected rows. */
import { Check, FolderInput, Minus, Settings2, Tags } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Job } from "@/api";
import { type Sorting, useSortJobs } from "@/api/groups";
import { Button } from "@/components/button";
import { Menu, MenuItem, MenuSeparator } from "@/components/menu";
import { useErrorText } from "@/hooks/use-error-text";
import { hasProblemText } from "@/lib/problem-codes";
import { toast } from "@/lib/toast";
import { coverage } from "./coverage";
import { GroupIcon } from "./group-icon";
import { useGroups } from "./use-groups";

interface SortMenusProps {
  jobs: readonly Job[];
  onManage: () => void;
}

export function SortMenus({ jobs, onManage }: SortMenusProps) {
  const { t } = useTranslation("transcripts");
  const { sort, busy } = useSorting(jobs);
  const tags = useGroups("tags");
  const folders = useGroups("folders");
  const manage = (
    <MenuItem onSelect={onManage}>
      <Settings2 aria-hidden="true" />
      {t("groups.manage")}
    </MenuItem>
  );
  return (
    <>
      <SortMenu label={t("groups.tags.title")} sign={<Tags aria-hidden="true" />} busy={busy}>
        {tags.map(({ id, name, color }) => {
          const covered = coverage(jobs, (job) => job.tags.includes(id));
          return (
            <MenuItem key={id} onSelect={() => sort({ tag: id, on: covered !== "all" })}>
              <GroupIcon kind="tags" color={color} />
              <span className="min-w-0 flex-1 truncate">
                {t(covered === "all" ? "groups.take_tag" : "groups.give_tag", { name })}
              </span>
              {covered === "all" && <Check aria-hidden="true" />}
              {covered === "some" && <Minus aria-hidden="true" />}
            </MenuItem>
          );
        })}
        {tags.length > 0 && <MenuSeparator />}
        {manage}
      </SortMenu>
      <SortMenu label={t("groups.folders.move")} sign={<FolderInput aria-hidden="true" />} busy={busy}>
        {folders.map(({ id, name, color }) => (
          <MenuItem key={id} onSelect={() => sort({ folder: id })}>
            <GroupIcon kind="folders" color={color} />
            <span className="min-w-0 flex-1 truncate">{name}</span>
            {coverage(jobs, (job) => job.folder === id) === "all" && <Check aria-hidden="true" />}
          </MenuItem>
        ))}
        {jobs.some((job) => job.folder != null) && (
          <MenuItem onSelect={() => sort({ folder: null })}>{t("groups.folders.none")}</MenuItem>
        )}
        {folders.length > 0 && <MenuSeparator />}
        {manage}
      </SortMenu>
    </>
  );
}

interface SortMenuProps {
  label: string;
  sign: ReactNode;
  busy: boolean;
  children: ReactNode;
}

function SortMenu({ label, sign, busy, children }: SortMenuProps) {
  return (
    <Menu
      side="top"
      align="center"
      trigger={
        <Button look="quiet" busy={busy} className="max-sm:px-3">
          {sign}
          <span className="max-sm:sr-only">{label}</span>
        </Button>
      }
    >
      {children}
    </Menu>
  );
}

function useSorting(jobs: readonly Job[]) {
  const { t } = useTranslation(["transcripts", "problems"]);
  const errorText = useErrorText();
  const { mutate, isPending } = useSortJobs();
  /** Reports the first reason, which usually is the only one. */
  const tell = (refused: readonly string[]) => {
    const [code] = refused;
    if (code === undefined) return;
    const reason = hasProblemText("codes", code) ? t(`problems:codes.${code}`) : code;
    toast.error(t("groups.refused", { count: refused.length, reason }));
  };
  const sort = (by: Sorting) =>
    mutate(
      { jobs: jobs.map((job) => job.my_job_id), by },
      { onSuccess: tell, onError: (error) => toast.error(t("action_failed", { reason: errorText(error) })) },
    );
  return { sort, busy: isPending };
}
