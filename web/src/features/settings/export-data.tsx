/** An archive of all of the user's data. */
import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useExport } from "@/api/account";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { FormAlert } from "@/components/form-alert";
import { useErrorText } from "@/hooks/use-error-text";
import { download } from "@/lib/download";
import { Section } from "./section";

export function ExportData() {
  const { t } = useTranslation("settings");
  const errorText = useErrorText();
  const [recordings, setRecordings] = useState(false);
  const { mutate, isPending, isSuccess, error } = useExport();
  return (
    <Section title={t("export.title")} text={t("export.text")}>
      <div className="flex flex-col gap-4">
        <FormAlert text={error && `${t("export.failed")}. ${errorText(error)}`} />
        <Checkbox checked={recordings} onChange={setRecordings}>
          {t("export.recordings")}
        </Checkbox>
        <Button
          className="self-start"
          busy={isPending}
          onClick={() => mutate(recordings, { onSuccess: ({ url }) => download(url) })}
        >
          {!isPending && <Download aria-hidden="true" />}
          {t("export.button")}
        </Button>
        <p role="status" className="text-sm text-ink-soft empty:hidden">
          {isSuccess && t("export.started")}
        </p>
      </div>
    </Section>
  );
}
