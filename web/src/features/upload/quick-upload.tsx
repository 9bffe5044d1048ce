/** A short version of step 1 for the dashboard: recordings chosen here continue with step 2 of the upload page. */
import { FolderOpen, Link2, Mic } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useUser } from "@/api";
import { LinkButton } from "@/components/button";
import { VoiceToText } from "@/components/voice-to-text";
import { useLocale } from "@/hooks/use-locale";
import { formatBytes } from "@/lib/format";
import { MAX_OPEN_UPLOADS } from "@/rules/constants";
import { handOverMore, handOverRefusals, handOverUrl } from "./handoff";
import { DropAnywhere } from "./select/drop-anywhere";
import { FilePicker } from "./select/file-picker";
import { UploadProblems } from "./select/upload-problems";
import { usePaste } from "./select/use-paste";
import type { RefusedRecording } from "./tray-model";
import { useUploadLimit } from "./upload-limit";
import { uploadTray } from "./upload-tray";
import { useSources } from "./use-sources";

const PAGE = "/upload";
const BY_ADDRESS = `${PAGE}?source=url`;

export function QuickUpload() {
  const { t } = useTranslation("upload");
  const locale = useLocale();
  const owner = useUser()?.id;
  const navigate = useNavigate();
  const most = useUploadLimit();
  const sources = useSources();
  const [refusals, setRefusals] = useState<readonly RefusedRecording[]>([]);

  const takeFiles = async (files: readonly File[]) => {
    if (!owner) return;
    setRefusals([]);
    const tray = uploadTray.getState();
    // Recordings from an earlier visit stay on the tray and count, too.
    await tray.restore(owner);
    const refused = await tray.addFiles(owner, files);
    if (refused.length === files.length) {
      setRefusals(refused);
      return;
    }
    handOverRefusals(refused);
    await navigate(PAGE);
  };
  const onFiles = (files: readonly File[]) => void takeFiles(files);

  usePaste({
    onFiles,
    onUrl: (url) => {
      if (!sources.includes("url")) return;
      handOverUrl(url);
      void navigate(BY_ADDRESS);
    },
  });

  return (
    <section aria-labelledby="start-here" className="flex flex-col gap-3">
      <UploadProblems missing={null} refusals={refusals} failed={[]} onDismiss={() => setRefusals([])} />
      <div className="flex items-center gap-x-10 rounded-lg border-2 border-dashed border-rule-strong bg-paper-raised px-4 py-5 max-sm:text-center sm:px-6">
        <div className="min-w-0 flex-1">
          <h2 id="start-here" className="headline text-xl">
            <span className="pointer-coarse:hidden">{t("drop.title")}</span>
            <span className="pointer-fine:hidden">{t("drop.touchTitle")}</span>
          </h2>
          <p className="mt-1 text-sm text-ink-soft">
            {t("start.hint", { size: formatBytes(most, locale), count: MAX_OPEN_UPLOADS })}
          </p>
          <div className="mt-4 flex flex-wrap items-center gap-x-1 gap-y-2 max-sm:justify-center">
            <FilePicker look="primary" className="max-sm:w-full sm:mr-2" onFiles={onFiles}>
              <FolderOpen aria-hidden="true" />
              {t("drop.choose")}
            </FilePicker>
            {sources.includes("url") && (
              <LinkButton to={BY_ADDRESS} onClick={handOverMore} look="quiet" size="small">
                <Link2 aria-hidden="true" />
                {t("start.url")}
              </LinkButton>
            )}
            {sources.includes("voice") && (
              <LinkButton to={`${PAGE}?source=voice`} onClick={handOverMore} look="quiet" size="small">
                <Mic aria-hidden="true" />
                {t("start.voice")}
              </LinkButton>
            )}
          </div>
        </div>
        <VoiceToText className="w-64 shrink-0 max-lg:hidden" />
      </div>
      <DropAnywhere onFiles={onFiles} />
    </section>
  );
}
