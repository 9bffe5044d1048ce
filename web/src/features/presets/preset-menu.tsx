/** Further actions on a preset. Only its owner and administrators can change or delete it; the server checks again. */
import { Copy, Download, Ellipsis, Pencil, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useUser } from "@/api";
import type { Preset } from "@/api/presets";
import { Menu, MenuItem, MenuSeparator } from "@/components/menu";
import { saveOne } from "@/domain/presets/preset-file";
import { inReadersLanguage, nameOf } from "@/domain/presets/preset-words";
import { useLocale } from "@/hooks/use-locale";
import { useDeletePreset } from "./deletion";
import { useDuplicate } from "./use-duplicate";

interface PresetMenuProps {
  preset: Preset;
  onEdit: (preset: Preset) => void;
}

export function PresetMenu({ preset, onEdit }: PresetMenuProps) {
  const { t } = useTranslation(["presets", "common"]);
  const locale = useLocale();
  const mayChange = useMayChange(preset);
  const duplicate = useDuplicate();
  const remove = useDeletePreset();
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={t("more", { name: nameOf(preset, locale) })}
          className="relative z-1 inline-flex size-8 shrink-0 items-center justify-center rounded text-ink-soft transition-colors hover:bg-paper-sunk hover:text-ink data-[state=open]:bg-paper-sunk pointer-coarse:size-11"
        >
          <Ellipsis aria-hidden="true" className="size-4.5" />
        </button>
      }
    >
      {mayChange && (
        <MenuItem onSelect={() => onEdit(preset)}>
          <Pencil aria-hidden="true" />
          {t("edit")}
        </MenuItem>
      )}
      <MenuItem onSelect={() => duplicate(preset)}>
        <Copy aria-hidden="true" />
        {t("duplicate")}
      </MenuItem>
      <MenuItem onSelect={() => saveOne(inReadersLanguage(preset, locale))}>
        <Download aria-hidden="true" />
        {t("download")}
      </MenuItem>
      {mayChange && (
        <>
          <MenuSeparator />
          <MenuItem danger onSelect={() => remove(preset)}>
            <Trash2 aria-hidden="true" />
            {t("common:actions.delete")}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

export function useMayChange(preset: Preset): boolean {
  const admin = useUser()?.role === "admin";
  return admin || preset.is_own;
}
