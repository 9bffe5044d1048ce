/** The folders that webhooks are limited to. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { groupsQuery } from "@/api/groups";

/** A folder of the account, or one that was deleted but that a webhook still names. */
interface FolderOption {
  value: string;
  label: string;
  isDeleted: boolean;
}

/** The account's folders and, after them, the deleted ones among the chosen; `options` is null until they are known. */
export function useFolderOptions(chosen: readonly string[], enabled = true) {
  const { t } = useTranslation("webhooks");
  const { data, isError, refetch } = useQuery({ ...groupsQuery("folders"), enabled });
  if (!data) return { options: null, isError, retry: () => void refetch() };
  const own: FolderOption[] = data.map(({ id, name }) => ({ value: id, label: name, isDeleted: false }));
  const deleted = chosen.filter((id) => !data.some((folder) => folder.id === id));
  const options = [
    ...own,
    // Numbered, so that each can be told from the others.
    ...deleted.map((value, at) => ({
      value,
      label: at === 0 ? t("folders.deleted") : t("folders.deleted_nth", { n: at + 1 }),
      isDeleted: true,
    })),
  ];
  return { options, isError, retry: () => void refetch() };
}
