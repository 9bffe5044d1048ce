/** What can be done with the finished text: copy it, download it. */
import { Copy, Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Job, Transcript } from "@/api";
import { Button } from "@/components/button";
import { Menu, MenuItem } from "@/components/menu";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";
import { EXPORT_FORMATS, type ExportFormat, fetchExport } from "./api";
import { plainText } from "./copy-text";
import { saveBlob } from "./save-file";

export function TextActions({ job, transcript }: { job: Job; transcript: Transcript }) {
  const { t } = useTranslation("transcript");
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);

  const copy = () =>
    navigator.clipboard.writeText(plainText(transcript.segments)).then(
      () => toast.success(t("text.copied")),
      () => toast.error(t("text.copyFailed")),
    );

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
      <Button onClick={copy}>
        <Copy aria-hidden="true" />
        {t("text.copy")}
      </Button>
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
