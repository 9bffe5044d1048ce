/** Selects recordings from files: dropped or chosen, several at once. */
import { FolderOpen } from "lucide-react";
import { useTranslation } from "react-i18next";
import { VoiceToText } from "@/components/voice-to-text";
import { useLocale } from "@/hooks/use-locale";
import { formatBytes } from "@/lib/format";
import { audioTypes } from "@/rules";
import { MAX_OPEN_UPLOADS } from "@/rules/constants";
import { useExtraTypes } from "../accepted-types";

import { useUploadLimit } from "../upload-limit";
import { FilePicker } from "./file-picker";

export function FileTab({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const { t } = useTranslation("upload");
  const locale = useLocale();
  const most = useUploadLimit();
  const more = useExtraTypes();
  return (
    <div className="flex min-h-72 flex-1 flex-col items-center justify-center rounded-lg border-2 border-dashed border-rule-strong bg-paper-raised px-4 py-8 text-center md:max-h-[32rem]">
      <VoiceToText className="w-full max-w-md" />
      <p className="headline mt-6 text-2xl md:text-3xl">
        <span className="pointer-coarse:hidden">{t("drop.title")}</span>
        <span className="pointer-fine:hidden">{t("drop.touchTitle")}</span>
      </p>
      <p className="mt-2 text-ink-soft pointer-coarse:hidden">{t("drop.or")}</p>
      <FilePicker look="primary" className="mt-5" onFiles={onFiles}>
        <FolderOpen aria-hidden="true" />
        {t("drop.choose")}
      </FilePicker>
      <p className="mt-6 max-w-[60ch] text-sm text-balance text-ink-faint">
        {t("drop.hint", {
          types: [...audioTypes(), ...more].join(", "),
          size: formatBytes(most, locale),
          count: MAX_OPEN_UPLOADS,
        })}
      </p>
    </div>
  );
}
