/** Parts of a preset shared by the table and the cards. */
import { Check, Download, Pencil, Star, Trash2, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type ManagedPreset, useDeleteManaged } from "@/api/managed-presets";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { IconButton } from "@/components/icon-button";
import { saveOne } from "@/domain/presets/preset-file";
import { nameOf } from "@/domain/presets/preset-words";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { toast } from "@/lib/toast";

/** The name with its badge, and the owner if there is one. */
export function PresetName({ preset }: { preset: ManagedPreset }) {
  const { t } = useTranslation("admin-presets");
  const locale = useLocale();
  return (
    <>
      <span className="mr-2 font-strong">{nameOf(preset, locale)}</span>
      {preset.is_default && (
        <span className="inline-flex items-center gap-1 rounded-sm bg-accent-wash px-1.5 py-0.5 align-middle text-xs whitespace-nowrap text-accent">
          <Star aria-hidden="true" className="size-3 shrink-0 fill-current" />
          {t("recommended")}
        </span>
      )}
      {preset.owner_email !== null && (
        <span className="block text-xs text-ink-faint">{t("owner", { email: preset.owner_email })}</span>
      )}
    </>
  );
}

/** An unknown category, from a newer server, is shown as its code. */
export function useCategoryText(): (category: string) => string {
  const { t, i18n } = useTranslation("rules");
  return (category) => {
    const key = `preset_category.${category}`;
    return i18n.exists(`rules:${key}`) ? t(key as "preset_category.other") : category;
  };
}

/** A check mark or a cross, each with a word. */
export function PublicMark({ shown, words = false }: { shown: boolean; words?: boolean }) {
  const { t } = useTranslation("admin-presets");
  const Sign = shown ? Check : X;
  return (
    <span className={cx("inline-flex items-center gap-1 align-middle", shown ? "text-good" : "text-ink-faint")}>
      <Sign aria-hidden="true" className="size-4 shrink-0" strokeWidth={2.5} />
      <span className={words ? undefined : "sr-only"}>{t(shown ? "public" : "private")}</span>
    </span>
  );
}

interface PresetActionsProps {
  preset: ManagedPreset;
  onEdit: (preset: ManagedPreset) => void;
  className?: string;
}

export function PresetActions({ preset, onEdit, className }: PresetActionsProps) {
  const { t } = useTranslation("admin-presets");
  const errorText = useErrorText();
  const name = nameOf(preset, useLocale());
  const remove = useDeleteManaged();
  const [asking, setAsking] = useState(false);
  // The row unmounts before the mutation's own callbacks are called; a promise outlives it.
  const deleteConfirmed = async () => {
    try {
      await remove.mutateAsync(preset.id);
      toast.success(t("deleted"));
    } catch (error) {
      toast.error(t("failed", { message: errorText(error) }));
    }
  };
  return (
    <div className={cx("flex items-center gap-1", className)}>
      <IconButton label={t("edit", { name })} className={SMALL} onClick={() => onEdit(preset)}>
        <Pencil aria-hidden="true" />
      </IconButton>
      <IconButton label={t("download", { name })} className={SMALL} onClick={() => saveOne(preset)}>
        <Download aria-hidden="true" />
      </IconButton>
      <IconButton
        label={t("delete", { name })}
        className={cx(SMALL, "hover:text-bad")}
        busy={remove.isPending}
        onClick={() => setAsking(true)}
      >
        <Trash2 aria-hidden="true" />
      </IconButton>
      {asking && (
        <ConfirmDialog
          title={t("delete_question")}
          text={t("delete_text", { name })}
          confirm={t("delete_yes")}
          onConfirm={deleteConfirmed}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

const SMALL = "size-8 pointer-coarse:size-11";
