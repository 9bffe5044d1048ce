/** Downloads a file that was made when a job completed. */
import { FileText } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { fetchMadeFile, type MadeFile } from "@/api/exports";
import { Button } from "@/components/button";
import { useErrorText } from "@/hooks/use-error-text";
import { saveBlob } from "@/lib/save-file";
import { toast } from "@/lib/toast";

interface MadeFileButtonProps {
  jobId: string;
  /** The recording's name, used if the server sends none. */
  name: string;
  format: MadeFile;
  /** Shows the format only, for rows of a list. */
  small?: boolean;
}

export function MadeFileButton({ jobId, name, format, small = false }: MadeFileButtonProps) {
  const { t } = useTranslation("sharing");
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const label = t(`made.${format}`);
  const download = async () => {
    setBusy(true);
    try {
      const { blob, filename } = await fetchMadeFile(jobId, format);
      saveBlob(blob, filename ?? `${name}.${format}`);
    } catch (error) {
      toast.error(`${t("export.failed")}. ${errorText(error)}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      size="small"
      className={small ? "relative z-1" : "mt-2 w-full"}
      busy={busy}
      onClick={() => void download()}
      {...(small && { "aria-label": `${format.toUpperCase()}. ${label}: ${name}` })}
    >
      <FileText aria-hidden="true" />
      {small ? format.toUpperCase() : label}
    </Button>
  );
}
