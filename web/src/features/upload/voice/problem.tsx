/** Shows an error and what to do about it. Recorded sound is never lost, and the text says so. */
import { CircleAlert, Download, RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { Button } from "@/components/button";
import { useErrorText } from "@/hooks/use-error-text";
import { AppendedElsewhereError } from "./target";
import { theRecording } from "./the-recording";

export function Problem({ onSave }: { onSave: () => void }) {
  const { t } = useTranslation("voice");
  const errorText = useErrorText();
  const problem = useStore(theRecording, (state) => state.problem);
  const phase = useStore(theRecording, (state) => state.phase);
  const inHand = useStore(theRecording, (state) => state.id !== null);

  const words = () => {
    switch (problem?.kind) {
      case "capture":
        return { title: t(`trouble.${problem.trouble}`), text: t(`trouble.${problem.trouble}How`) };
      case "other_tab":
        return { title: t("trouble.other_tab"), text: t("trouble.other_tabHow") };
      case "server": {
        const { error } = problem;
        const reason = error instanceof AppendedElsewhereError ? t("trouble.elsewhere") : errorText(error);
        return { title: t("trouble.server"), text: inHand ? `${reason} ${t("trouble.serverKept")}` : reason };
      }
      case undefined:
        return null;
    }
  };
  const message = words();
  return (
    <div role="alert" className="empty:hidden">
      {message && (
        <div className="flex gap-3 rounded-lg border border-bad bg-bad-wash px-4 py-3">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-bad" />
          <div className="flex flex-col items-start gap-2">
            <div>
              <p className="font-strong">{message.title}</p>
              <p>{message.text}</p>
            </div>
            {problem?.kind === "server" && inHand && (
              <div className="flex flex-wrap gap-2">
                <Button size="small" onClick={() => theRecording.getState().retry()}>
                  <RotateCw aria-hidden="true" />
                  {t("actions.retry")}
                </Button>
                {phase === "recorded" && (
                  <Button size="small" onClick={onSave}>
                    <Download aria-hidden="true" />
                    {t("actions.save")}
                  </Button>
                )}
              </div>
            )}
          </div>
        </div>
      )}
    </div>
  );
}
