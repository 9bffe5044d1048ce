/** What can be done with the finished text: copy it, download it. */
import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Job, Transcript } from "@/api";
import { Button } from "@/components/button";
import { Menu, MenuItem } from "@/components/menu";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";
import { EXPORT_FORMATS, type ExportFormat, fetchExport } from "./api";
import { CopyButton } from "./copy-button";
import { saveBlob } from "@/lib/save-file";

export function TextActions({ job, transcript }: { job: Job; transcript: Transcript }) {
  const { t } = useTranslation("transcript");
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);

  const download = async (format: ExportFormat) => {
    setBusy(true);
    try {
      const { blob, filename } = await fetchExport(job.my_job_id, format);
      saveBlob(blob, filename ?? `${job.original_filename}.${format}`);
    } catch (error) {
      toast.error(`${t("downloads.failed")}. ${errorText(error)}`);
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className="flex shrink-0 flex-wrap gap-2">
      <CopyButton segments={transcript.segments} />
      <Menu
        trigger={
          <Button busy={busy} aria-label={t("downloads.menu")}>
            <Download aria-hidden="true" />
            {t("downloads.label")}
          </Button>
        }
      >
        {EXPORT_FORMATS.map((format) => (
          <MenuItem key={format} onSelect={() => void download(format)}>
            {t(`downloads.${format}`)}
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}
