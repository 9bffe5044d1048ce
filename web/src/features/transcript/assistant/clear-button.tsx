/** Deletes the conversation from the server, after a confirmation. */
import { useTranslation } from "react-i18next";
import { InlineConfirm } from "@/components/inline-confirm";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";
import type { Conversation } from "./use-conversation";

export function ClearButton({ conversation: { history, current, clear } }: { conversation: Conversation }) {
  const { t } = useTranslation("analysis");
  const errorText = useErrorText();
  if (!history.data?.messages.length || current) {
    return null;
  }
  return (
    <div className="mb-1.5">
      <InlineConfirm
        look="quiet"
        label={t("assistant.clear")}
        question={t("assistant.clearQuestion")}
        confirm={t("assistant.clearYes")}
        onConfirm={() =>
          clear().catch((error: unknown) => void toast.error(t("assistant.clearFailed", { reason: errorText(error) })))
        }
      />
    </div>
  );
}
