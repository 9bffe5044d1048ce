/**
 * The Voice tab of step 1: records in the browser and sends while recording. Recording continues in other tabs and on
 * other pages, and a message says so.
 */
import { Mic } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useStore } from "zustand";
import { Button } from "@/components/button";
import { useLocale } from "@/hooks/use-locale";
import { formatSpan } from "@/lib/format";
import { toast } from "@/lib/toast";
import { useUploadLimit } from "../upload-limit";
import { OfferList } from "./offer-list";
import type { Offer } from "./offers";
import { Problem } from "./problem";
import { Recorder } from "./recorder";
import { recordingName } from "./recording-name";
import type { UsedRecording } from "./recording-state";
import { SoundChoice } from "./sound-choice";
import { theRecording } from "./the-recording";
import { useDiscard, useDiscarded } from "./use-discard";
import { longestRecording, secondsOf } from "./wav";

interface VoiceTabProps {
  /** Id of the account. */
  owner: string;
  /**
   * The recording is complete on the server, including its length. Size in bytes, duration in seconds. Returns whether
   * it was accepted; otherwise it is offered again.
   */
  onUse: (upload: UsedRecording) => Promise<boolean>;
  /** Called when there is a current recording, or none any more. */
  onInHand: (inHand: boolean) => void;
  /** Whether there is room for a recording with this name; if not, it shows a message, and the recording stays here. */
  hasRoom: (filename: string) => boolean;
  /** Ids of recordings already in use without a job: they are not offered. */
  taken: readonly string[];
}

export function VoiceTab({ owner, onUse, onInHand, hasRoom, taken }: VoiceTabProps) {
  const { t } = useTranslation("voice");
  const phase = useStore(theRecording, (state) => state.phase);
  const inHand = useStore(theRecording, (state) => state.id !== null);
  const offers = useStore(theRecording, (state) => state.offers);
  const discarded = useDiscarded();
  const discard = useDiscard();
  const recording = theRecording.getState();
  useLeaveNews();

  useEffect(() => void theRecording.getState().look(owner), [owner]);
  useEffect(() => onInHand(inHand), [onInHand, inHand]);

  const start = () => recording.start(owner, recordingName(t("name"), Date.now()));

  const use = async () => {
    const used = hasRoom(theRecording.getState().filename) && (await recording.use());
    if (used && !(await onUse(used))) {
      await recording.look(owner);
    }
  };

  // The previous one is deleted, with ten seconds to undo; the new one starts at once.
  const recordAgain = async () => {
    const former = await recording.putAside();
    if (former) {
      discard(former);
    }
    await start();
    await recording.look(owner);
  };

  const takeUp = async (offer: Offer, then: () => Promise<unknown>) => {
    if (await recording.takeUp(offer)) {
      await then();
    }
  };

  return (
    <section aria-label={t("label")} className="flex flex-1 flex-col gap-4">
      <Problem onSave={() => void save()} />
      {!inHand && (
        <OfferList
          offers={offers?.filter(({ id, uploadId }) => !discarded.has(id) && !taken.includes(uploadId ?? "")) ?? []}
          disabled={phase === "asking"}
          onContinue={(offer) => void takeUp(offer, recording.resume)}
          onUse={(offer) => hasRoom(offer.filename) && void takeUp(offer, use)}
          onDiscard={discard}
        />
      )}
      <div className="flex min-h-80 flex-1 flex-col items-center justify-center gap-5 rounded-lg border-2 border-rule-strong bg-paper-raised px-4 py-8 text-center md:max-h-[36rem]">
        {inHand ? (
          <Recorder onUse={() => void use()} onAgain={() => void recordAgain()} />
        ) : (
          <StartPanel asking={phase === "asking"} onStart={() => void start()} />
        )}
      </div>
    </section>
  );
}

function StartPanel({ asking, onStart }: { asking: boolean; onStart: () => void }) {
  const { t } = useTranslation("voice");
  const locale = useLocale();
  const most = useUploadLimit();
  return (
    <>
      <div>
        <h2 className="headline text-2xl md:text-3xl">{t("start.title")}</h2>
        <p className="mx-auto mt-2 max-w-[52ch] text-ink-soft">{t("start.text")}</p>
      </div>
      <SoundChoice />
      <Button look="primary" busy={asking} onClick={onStart}>
        <Mic aria-hidden="true" />
        {asking ? t("start.asking") : t("start.button")}
      </Button>
      <p className="text-sm text-ink-faint">{t("start.hint", { time: formatSpan(secondsOf(longestRecording(most)), locale) })}</p>
    </>
  );
}

/** A recording that the server refuses can be saved as a file. */
async function save() {
  const file = await theRecording.getState().play();
  const name = theRecording.getState().filename;
  if (file) {
    const url = URL.createObjectURL(file);
    Object.assign(document.createElement("a"), { href: url, download: name }).click();
    URL.revokeObjectURL(url);
  }
}

/** Recording continues on other pages of the app; a message says so, with a link back. */
function useLeaveNews() {
  const { t } = useTranslation(["voice", "common"]);
  const navigate = useNavigate();
  const leave = useEffectEvent((home: string) => {
    // Another tab of the same page: a link is not needed.
    if (theRecording.getState().phase === "recording" && location.pathname !== home) {
      toast.linked(t("going"), t("common:actions.open"), () => void navigate(home));
    }
  });
  useEffect(() => {
    const home = location.pathname;
    return () => leave(home);
  }, []);
}
