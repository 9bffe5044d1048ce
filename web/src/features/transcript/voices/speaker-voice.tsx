/** In the row of a speaker: a name that is proposed for the speaker, and what has become of remembering the voice. */
import { Check, CircleAlert, LoaderCircle } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { type RememberedVoice, useDismissVoice, type VoiceProposal } from "@/api/voices";
import { Button } from "@/components/button";
import { speakerName, speakerSign } from "@/domain/transcript/speakers";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { useVoiceFailure } from "@/hooks/use-voice-failure";
import { formatPercent } from "@/lib/format";
import { toast } from "@/lib/toast";
import type { Speaker } from "../document/model";
import type { SpeakerVoices } from "./use-speaker-voices";

interface SpeakerVoiceProps {
  speaker: Speaker;
  voices: SpeakerVoices;
  /** Moves the focus before the buttons disappear. */
  onAnswered: (announcement: string) => void;
}

export function SpeakerVoice({ speaker, voices, onAnswered }: SpeakerVoiceProps) {
  const ofSpeaker = (one: { speaker: string }) => one.speaker === speaker.id;
  // As soon as the speaker has a name, none is proposed, also before the server knows.
  const proposal = speaker.name ? undefined : voices.text?.proposals.find(ofSpeaker);
  return (
    <>
      {voices.text?.remembered.filter(ofSpeaker).map((voice) => (
        <Remembered key={voice.voice} speaker={speaker} voice={voice} />
      ))}
      {proposal && <Proposal proposal={proposal} speaker={speaker} voices={voices} onAnswered={onAnswered} />}
    </>
  );
}

function Remembered({ speaker, voice }: { speaker: Speaker; voice: RememberedVoice }) {
  const { t } = useTranslation("voices");
  const failure = useVoiceFailure();
  switch (voice.state) {
    case "learning":
      return (
        <p className="mt-1 mb-1.5 flex items-center gap-1.5 text-xs text-ink-soft">
          <LoaderCircle aria-hidden="true" className="size-3.5 shrink-0 animate-spin" />
          {t("speaker.learning")}
        </p>
      );
    case "failed":
      return (
        <p className="mt-1 mb-1.5 flex items-start gap-1.5 text-xs text-bad">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
          {t("speaker.failed", { reason: failure(voice.error ?? "") })}
        </p>
      );
    default:
      return (
        <p className="mt-1 mb-1.5 flex items-start gap-1.5 text-xs text-ink-soft">
          <Check aria-hidden="true" className="mt-px size-3.5 shrink-0 text-good" />
          <span className="min-w-0 wrap-anywhere">
            {voice.name === speakerName(speaker) ? t("speaker.ready") : t("speaker.ready_as", { name: voice.name })}
          </span>
        </p>
      );
  }
}

interface ProposalProps extends SpeakerVoiceProps {
  proposal: VoiceProposal;
}

function Proposal({ proposal: { name, score }, speaker, voices, onAnswered }: ProposalProps) {
  const { t } = useTranslation("voices");
  const locale = useLocale();
  const errorText = useErrorText();
  const scoreId = useId();
  const dismiss = useDismissVoice(voices.jobId, voices.version);
  const names = { name, speaker: speakerSign(speaker.id) };
  const use = () => {
    onAnswered(t("proposal.used", names));
    voices.document.actions.edit({ kind: "rename_speaker", speaker: speaker.id, name });
  };
  // The row may be unmounted before the answer; a promise outlives it.
  const decline = async () => {
    onAnswered(t("proposal.declined", names));
    try {
      await dismiss.mutateAsync(speaker.id);
    } catch (error) {
      toast.error(`${t("proposal.decline_failed")}. ${errorText(error)}`);
    }
  };
  return (
    <div data-testid="voice-proposal" className="mt-2 mb-1 rounded bg-note-wash px-3 py-2.5">
      <p id={scoreId} className="text-sm">
        <span className="block font-strong wrap-anywhere">{t("proposal.text", { name })}</span>
        <span className="text-ink-soft">{t("proposal.score", { percent: formatPercent(score * 100, locale) })}</span>
      </p>
      <div className="mt-2 flex flex-wrap gap-1.5">
        <Button size="small" className="grow" aria-label={t("proposal.use_of", names)} aria-describedby={scoreId} onClick={use}>
          {t("proposal.use")}
        </Button>
        <Button
          size="small"
          look="quiet"
          className="grow"
          aria-label={t("proposal.decline_of", names)}
          aria-describedby={scoreId}
          onClick={() => void decline()}
        >
          {t("proposal.decline")}
        </Button>
      </div>
    </div>
  );
}
