/** Step 1: a recording is dropped or picked. */
import { CircleAlert, FolderOpen } from "lucide-react";
import { type ChangeEvent, type RefObject, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { VoiceToText } from "@/components/voice-to-text";
import { useLocale } from "@/hooks/use-locale";
import { formatBytes } from "@/lib/format";
import { audioTypes, limits, mimeTypes } from "@/rules";

interface DropZoneProps {
  heading: RefObject<HTMLHeadingElement | null>;
  /** Why the last file was not taken. */
  error: { title?: string; text: string } | null;
  onFile: (file: File) => void;
}

export function DropZone({ heading, error, onFile }: DropZoneProps) {
  const { t } = useTranslation("upload");
  const locale = useLocale();
  const picker = useRef<HTMLInputElement>(null);
  const types = audioTypes();

  const picked = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.currentTarget.files?.[0];
    // The same file may be picked again after it was refused or cancelled.
    event.currentTarget.value = "";
    if (file) {
      onFile(file);
    }
  };

  return (
    <div className="flex flex-1 flex-col gap-4">
      {error && (
        <div role="alert" className="flex gap-3 rounded-lg border border-bad bg-bad-wash px-4 py-3">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-bad" />
          <div>
            {error.title && <p className="font-strong">{error.title}</p>}
            <p>{error.text}</p>
          </div>
        </div>
      )}
      <div className="flex min-h-80 flex-1 flex-col items-center justify-center rounded-lg border-2 border-dashed border-rule-strong bg-paper-raised px-4 py-10 text-center md:max-h-[36rem]">
        <VoiceToText className="w-full max-w-md" />
        <h2 ref={heading} tabIndex={-1} className="headline mt-8 text-2xl md:text-3xl">
          <span className="pointer-coarse:hidden">{t("drop.title")}</span>
          <span className="pointer-fine:hidden">{t("drop.touchTitle")}</span>
        </h2>
        <p className="mt-2 text-ink-soft pointer-coarse:hidden">{t("drop.or")}</p>
        <Button look="primary" className="mt-5" onClick={() => picker.current?.click()}>
          <FolderOpen aria-hidden="true" />
          {t("drop.choose")}
        </Button>
        <input
          ref={picker}
          type="file"
          hidden
          accept={types.flatMap((type) => [`.${type}`, ...mimeTypes(type)]).join(",")}
          onChange={picked}
        />
        <p className="mt-8 text-sm text-ink-faint">
          {t("drop.hint", { types: types.join(", "), size: formatBytes(limits().max_upload_bytes, locale) })}
        </p>
      </div>
    </div>
  );
}
