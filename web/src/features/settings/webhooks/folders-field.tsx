/** The folders that a webhook is limited to. */
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { ChipsSelect } from "@/components/chips-select";
import { Field } from "@/components/field";
import { Skeleton } from "@/components/skeleton";
import { useFolderOptions } from "./use-folder-options";

interface FoldersFieldProps {
  folders: readonly string[];
  error: string | undefined;
  onChange: (folders: string[]) => void;
}

export function FoldersField({ folders, error, onChange }: FoldersFieldProps) {
  const { t } = useTranslation(["webhooks", "common"]);
  const { options, isError, retry } = useFolderOptions(folders);
  if (options?.length === 0) return <p className="text-sm text-ink-faint">{t("editor.folders_none")}</p>;
  if (options) {
    // Chosen ones are not offered, so a deleted folder cannot be chosen again.
    const deleted = new Set(folders.flatMap((id, at) => (options.some((one) => one.isDeleted && one.value === id) ? [at] : [])));
    return (
      <Field label={t("editor.folders")} hint={t("editor.folders_hint")} error={error}>
        {(wiring) => (
          <ChipsSelect
            {...wiring}
            options={options}
            selected={folders}
            onChange={onChange}
            broken={deleted}
            removeLabel={(name) => t("editor.folder_remove", { name })}
            placeholder={t("editor.folders_any")}
            listLabel={t("editor.folders_all")}
            nothing={t("editor.folders_nothing")}
          />
        )}
      </Field>
    );
  }
  return (
    <div className="flex flex-col gap-1.5" aria-busy={!isError}>
      <p className="text-[0.9375rem] font-strong">{t("editor.folders")}</p>
      {isError ? (
        <div className="flex flex-wrap items-center gap-3">
          <p role="alert" className="text-sm text-bad">
            {t("editor.folders_failed")}
          </p>
          <Button size="small" onClick={retry}>
            {t("common:actions.try_again")}
          </Button>
        </div>
      ) : (
        <Skeleton className="h-(--control) w-full" />
      )}
    </div>
  );
}
