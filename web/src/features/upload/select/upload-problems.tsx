/** Recordings that were refused, each with its name and the reason. */
import { CircleAlert, X } from "lucide-react";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/icon-button";
import type { FileItem, RefusedRecording } from "../tray-model";
import { useUploadFailureText } from "../use-failure-text";
import { useRefusalText } from "./use-refusal-text";

interface UploadProblemsProps {
  /** The rules' message if nothing was chosen. */
  missing: string | null;
  /** Recordings refused by the rules or the tray. */
  refusals: readonly RefusedRecording[];
  /** Files whose upload has failed. */
  failed: readonly FileItem[];
  onDismiss: () => void;
}

/** Its texts are loaded on first use. */
export function UploadProblems(props: UploadProblemsProps) {
  const { missing, refusals, failed } = props;
  return missing || refusals.length > 0 || failed.length > 0 ? (
    <Suspense>
      <Alert {...props} />
    </Suspense>
  ) : null;
}

function Alert({ missing, refusals, failed, onDismiss }: UploadProblemsProps) {
  const { t } = useTranslation("upload");
  const refusalText = useRefusalText();
  const failureText = useUploadFailureText();
  const lines = [
    ...failed.map(({ key, name, state }) => ({ key, name, text: state.failure ? failureText(state.failure) : "" })),
    ...refusals.map((refusal) => ({ key: `refused ${refusal.name}`, name: refusal.name, text: refusalText(refusal) })),
  ];
  return (
    <div role="alert" className="flex gap-3 rounded-lg border border-bad bg-bad-wash py-3 pr-1 pl-4">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-bad" />
      <div className="min-w-0 grow">
        {missing && <p>{missing}</p>}
        {failed.length > 0 && <p className="font-strong">{t("errors.upload")}</p>}
        {failed.length === 0 && lines.length > 0 && <p className="font-strong">{t("refusals.title", { count: lines.length })}</p>}
        <ul className="mt-0.5 max-h-40 overflow-y-auto">
          {lines.map(({ key, name, text }) => (
            <li key={key} className="py-0.5 break-words">
              {t("refusals.line", { name, reason: text })}
            </li>
          ))}
        </ul>
      </div>
      <IconButton label={t("refusals.dismiss")} onClick={onDismiss} className="-my-1">
        <X aria-hidden="true" />
      </IconButton>
    </div>
  );
}
