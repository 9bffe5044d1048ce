/** What the upload does by itself, told where the reader is: the job's page follows this one, elsewhere a message links to it. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { jobKeys } from "@/api/jobs";
import { toast } from "@/lib/toast";
import { hearUploadNews } from "./the-upload";

const PAGE = "/upload";
const isHere = () => location.pathname === PAGE;

export function useUploadNews(): void {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { i18n } = useTranslation();

  // Heard also after the page was left, so texts are looked up when they are said.
  useEffect(() => {
    hearUploadNews({
      onStarted: (jobId) => {
        const job = `/transcription/${jobId}`;
        void queryClient.invalidateQueries({ queryKey: jobKeys.all });
        if (isHere()) {
          void navigate(job);
        } else {
          toast.linked(i18n.t("upload:news.started"), i18n.t("common:actions.open"), () => void navigate(job));
        }
      },
      onTrouble: (what) => {
        if (!isHere()) {
          toast.linked(i18n.t(`upload:errors.${what}`), i18n.t("common:actions.open"), () => void navigate(PAGE));
        }
      },
    });
  }, [navigate, queryClient, i18n]);
}
