/** The reader's tags and folders, sorted in their language, and those of a job. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Job } from "@/api";
import { type GroupKind, groupsQuery, type JobGroup } from "@/api/groups";
import { useLocale } from "@/hooks/use-locale";

const NONE: readonly JobGroup[] = [];

export function useGroups(kind: GroupKind): readonly JobGroup[] {
  const locale = useLocale();
  const { data = NONE } = useQuery(groupsQuery(kind));
  return useMemo(() => {
    const { compare } = new Intl.Collator(locale, { numeric: true });
    return [...data].sort((one, other) => compare(one.name, other.name));
  }, [data, locale]);
}

/** A row's folder, then its tags. Unknown ones are left out. */
export function useGroupsOf({ tags, folder }: Pick<Job, "tags" | "folder">) {
  const allTags = useGroups("tags");
  const allFolders = useGroups("folders");
  return {
    folder: allFolders.find(({ id }) => id === folder),
    tags: allTags.filter(({ id }) => tags.includes(id)),
  };
}
