/** Below the speakers: compares those without a name with the account's voices. */
import { AudioLines, CircleAlert, LoaderCircle } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCompareVoices } from "@/api/voices";
import { Button } from "@/components/button";
import { speakerName } from "@/domain/transcript/speakers";
import { useVoiceFailure } from "@/hooks/use-voice-failure";
import type { Speaker } from "../document/model";
import type { SpeakerVoices } from "./use-speaker-voices";
import { useVoiceError } from "./use-voice-error";
import { ended, isWorthComparing } from "./voice-state";

interface CompareVoicesProps {
  voices: SpeakerVoices;
  speakers: readonly Speaker[];
  /** Tells screen readers what has changed. */
  say: (text: string) => void;
}

export function CompareVoices({ voices, speakers, say }: CompareVoicesProps) {
  const { t } = useTranslation(["voices", "common"]);
  useEndedAnnounced(voices, speakers, say);
  const { looking, worth, why, found, busy, ask } = useComparison(voices, speakers);
  const place = useRef<HTMLDivElement>(null);
  const answer = found === null ? null : t(found > 0 ? "compare.found" : "compare.nothing", { number: found });
  const message = why ?? (looking ? t("compare.looking") : answer);

  const tell = useEffectEvent(() => message !== null && say(message));
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once for each message
  useEffect(() => void tell(), [message]);
  // The button is gone while voices are compared, and the focus with it.
  useEffect(() => {
    if (!worth && document.activeElement === document.body && busy) place.current?.focus();
  }, [worth, busy]);

  if (!worth && message === null) return null;
  return (
    <div ref={place} tabIndex={-1} className="mt-3 border-t border-rule pt-3 text-sm">
      {why !== null ? (
        <p className="flex items-start gap-1.5 text-bad">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {why}
        </p>
      ) : (
        <p className="flex items-center gap-1.5 text-ink-soft">
          {looking && <LoaderCircle aria-hidden="true" className="size-4 shrink-0 animate-spin" />}
          {message ?? t("compare.offer")}
        </p>
      )}
      {worth && (
        <Button size="small" className="mt-2" busy={busy} onClick={ask}>
          {!busy && <AudioLines aria-hidden="true" />}
          {t(why === null ? "compare.button" : "common:actions.try_again")}
        </Button>
      )}
    </div>
  );
}

/** A comparison that is offered, runs, or was asked for here and has ended. */
function useComparison({ jobId, version, text, voices }: SpeakerVoices, speakers: readonly Speaker[]) {
  const { t } = useTranslation("voices");
  const voiceError = useVoiceError();
  const failure = useVoiceFailure();
  const compare = useCompareVoices(jobId, version);
  const [asked, setAsked] = useState(false);
  const [found, setFound] = useState<number | null>(null);

  useEffect(() => {
    if (!asked || !compare.isSuccess || !text || text.looking) return;
    setAsked(false);
    if (text.compared) setFound(text.proposals.length);
  }, [asked, compare.isSuccess, text]);

  const worth = text !== null && isWorthComparing(text, voices, speakers);
  const reason = compare.error ? voiceError(compare.error) : worth && text?.error ? failure(text.error) : null;
  return {
    looking: text?.looking ?? false,
    worth,
    /** Why the last one failed. */
    why: reason === null ? null : `${t("compare.failed")}. ${reason}`,
    /** How many names it proposed. */
    found,
    busy: asked || compare.isPending,
    ask: () => {
      setAsked(true);
      setFound(null);
      compare.mutate(undefined, { onError: () => setAsked(false) });
    },
  };
}

/** Says when a voice that was being computed is remembered, or why it is not. */
function useEndedAnnounced({ text }: SpeakerVoices, speakers: readonly Speaker[], say: (text: string) => void): void {
  const { t } = useTranslation("voices");
  const failure = useVoiceFailure();
  const remembered = text?.remembered;
  const before = useRef(remembered ?? []);
  const tell = useEffectEvent(() => {
    if (!remembered) return;
    for (const { speaker: id, state, error } of ended(before.current, remembered)) {
      const speaker = speakers.find((one) => one.id === id);
      const result = state === "ready" ? t("speaker.ready") : t("speaker.failed", { reason: failure(error ?? "") });
      say(speaker ? `${speakerName(speaker)}: ${result}` : result);
    }
    before.current = remembered;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what the server says is news
  useEffect(() => tell(), [remembered]);
}
