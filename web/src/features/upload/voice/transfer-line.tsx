/** How much of the recording is on the server, and the state of sending the rest. */
import { CloudCheck, CloudUpload, TriangleAlert, WifiOff } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { ApiError } from "@/api";
import { VoiceProgress } from "@/components/voice-progress";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { formatBytes, formatSpan } from "@/lib/format";
import { theRecording } from "./the-recording";
import { BYTES_PER_SECOND } from "./wav";

/** Less unsent sound while recording is normal, in bytes. */
const USUAL = 6 * BYTES_PER_SECOND;

export function TransferLine() {
  const { t } = useTranslation("voice");
  const { phase, bytes, acked, unkept } = useStore(theRecording);
  const pending = Math.max(0, bytes - acked);
  return (
    <div className="flex w-full max-w-md flex-col items-center gap-2 text-sm text-ink-soft">
      <TransferState pending={pending} />
      {unkept && pending > 0 && <Line icon={<TriangleAlert aria-hidden="true" />} look="text-warn" text={t("transfer.unkept")} />}
      {phase === "using" && pending > 0 && (
        <VoiceProgress label={t("transfer.label")} percent={bytes > 0 ? (acked / bytes) * 100 : 0} />
      )}
    </div>
  );
}

function TransferState({ pending }: { pending: number }) {
  const { t } = useTranslation("voice");
  const locale = useLocale();
  const errorText = useErrorText();
  const phase = useStore(theRecording, (state) => state.phase);
  const waiting = useStore(theRecording, (state) => state.waiting);
  const refused = useStore(theRecording, (state) => state.problem?.kind === "server");
  const time = formatSpan(pending / BYTES_PER_SECOND, locale);
  const recording = phase === "recording";

  if (refused) {
    return null;
  }
  if (waiting !== null) {
    const unreachable = !(waiting instanceof ApiError) || waiting.status === 0;
    const text = unreachable
      ? t(recording ? "transfer.offline" : "transfer.offlineDone", { time })
      : t("transfer.trying", { reason: errorText(waiting), time });
    return <Line icon={<WifiOff aria-hidden="true" />} look="text-warn" text={text} spoken />;
  }
  if (pending === 0) {
    return <Line icon={<CloudCheck aria-hidden="true" />} look="text-good" text={t("transfer.safe")} />;
  }
  if (recording && pending <= USUAL) {
    return <Line icon={<CloudUpload aria-hidden="true" />} text={t("transfer.sending")} />;
  }
  const size = formatBytes(pending, locale);
  return <Line icon={<CloudUpload aria-hidden="true" />} text={t("transfer.pending", { size, time })} />;
}

interface LineProps {
  icon: ReactNode;
  text: string;
  look?: string;
  spoken?: boolean;
}

function Line({ icon, text, look = "", spoken = false }: LineProps) {
  return (
    <p className={`flex items-start gap-2 text-left [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0 ${look}`}>
      {icon}
      {text}
      {spoken && <SpokenOnce text={text} />}
    </p>
  );
}

/** Announced once when it starts, because its numbers change every second. */
function SpokenOnce({ text }: { text: string }) {
  const [first] = useState(text);
  return (
    <span role="status" className="sr-only">
      {first}
    </span>
  );
}
