/**
 * Reports what the tray does on its own: on the upload page by opening the job's page, elsewhere by a toast with a
 * link.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { jobKeys } from "@/api/jobs";
import { minutesQuery } from "@/api/minutes";
import { endDraft } from "@/domain/settings/settings-draft";
import { toast } from "@/lib/toast";
import { setTrayListener } from "./upload-tray";

const PAGE = "/upload";
const LIST = "/transcriptions";
const isOnPage = () => location.pathname === PAGE;

export function useTrayListener(owner: string | undefined): void {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { i18n } = useTranslation();

  // May be called after the page was left, so texts are looked up when needed.
  useEffect(() => {
    setTrayListener({
      onStarted: (jobs, all) => {
        if (all && owner) endDraft(owner);
        const [first] = jobs;
        const only = jobs.length === 1 ? first : undefined;
        const goal = only ? `/transcription/${only.jobId}` : LIST;
        const text = only ? i18n.t("upload:news.started") : i18n.t("upload:news.startedMany", { count: jobs.length });
        void queryClient.invalidateQueries({ queryKey: jobKeys.all });
        void queryClient.invalidateQueries({ queryKey: minutesQuery().queryKey });
        if (!isOnPage() || !all) {
          toast.linked(text, i18n.t("common:actions.open"), () => void navigate(goal));
          return;
        }
        if (!only) {
          toast.success(text);
        }
        void navigate(goal);
      },
      onTrouble: (what) => {
        if (!isOnPage()) {
          toast.linked(i18n.t(`upload:errors.${what}`), i18n.t("common:actions.open"), () => void navigate(PAGE));
        }
      },
    });
  }, [navigate, queryClient, i18n, owner]);
}
