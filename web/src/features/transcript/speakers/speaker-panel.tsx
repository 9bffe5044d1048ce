/**
 * The speakers of the recording with their share of the speech: names can be edited in place, speakers merged, and voices
 * remembered, which propose names.
 */
import { Ellipsis, Merge, Pencil } from "lucide-react";
import { memo, Suspense, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { Job } from "@/api";
import { IconButton } from "@/components/icon-button";
import { Menu, MenuItem, MenuSeparator } from "@/components/menu";
import { SpeakerLabel } from "@/domain/transcript/speaker-label";
import { speakerColour, speakerName } from "@/domain/transcript/speakers";
import { useDeferredStore } from "@/hooks/use-deferred-store";
import { useLocale } from "@/hooks/use-locale";
import { formatClock, formatPercent } from "@/lib/format";
import { percentsOf } from "@/lib/percents";
import type { DocumentStore } from "../document/document-store";
import type { Speaker } from "../document/model";
import { CompareVoices } from "../voices/compare-voices";
import { RememberItem } from "../voices/remember-item";
import { RememberSheet } from "../voices/remember-sheet";
import { SpeakerVoice } from "../voices/speaker-voice";
import { type SpeakerVoices, useSpeakerVoices } from "../voices/use-speaker-voices";
import { RenameField } from "./rename-field";
import { NOBODY, talkTimes } from "./talk-time";

interface SpeakerPanelProps {
  job: Job;
  document: DocumentStore;
  editable: boolean;
}

export const SpeakerPanel = memo(function SpeakerPanel({ job, document, editable }: SpeakerPanelProps) {
  const { t } = useTranslation("editor");
  const locale = useLocale();
  const speakers = useStore(document, (state) => state.speakers);
  const times = useDeferredStore(document, (state) => talkTimes(state.segments));
  const percents = useMemo(() => {
    const ids = [...times.keys()];
    const shares = percentsOf([...times.values()]);
    return new Map(ids.map((id, at) => [id, shares[at] ?? 0]));
  }, [times]);
  const nobody = times.get(NOBODY) ?? 0;
  const voices = useSpeakerVoices(job, document, editable && speakers.length > 0);
  const [said, say] = useState("");
  if (speakers.length === 0) {
    return null;
  }
  const rows = (
    <ul className="mt-2 flex flex-col gap-1">
      {speakers.map((speaker) => (
        <Row
          key={speaker.id}
          document={document}
          speaker={speaker}
          seconds={times.get(speaker.id) ?? 0}
          percent={percents.get(speaker.id) ?? 0}
          editable={editable}
          voices={voices}
          say={say}
        />
      ))}
      {nobody > 0 && (
        <li className="flex items-center justify-between gap-3 text-sm text-ink-soft">
          {t("speakers.nobody")}
          <span className="figures shrink-0 text-xs text-ink-faint" title={t("speakers.share")}>
            {formatClock(nobody)} · {formatPercent(percents.get(NOBODY) ?? 0, locale)}
          </span>
        </li>
      )}
    </ul>
  );
  return (
    <section aria-label={t("speakers.label")} data-tour="speakers" className="rounded-lg border border-rule bg-paper-raised p-4">
      <h3 className="kicker">{t("speakers.label")}</h3>
      {rows}
      {/* The texts about voices are loaded separately; nothing else waits for them. */}
      {voices && (
        <Suspense fallback={null}>
          <CompareVoices voices={voices} speakers={speakers} say={say} />
        </Suspense>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </section>
  );
});

interface RowProps {
  document: DocumentStore;
  speaker: Speaker;
  seconds: number;
  /** Share of all speech. */
  percent: number;
  editable: boolean;
  /** Null if the reader may not remember voices. */
  voices: SpeakerVoices | null;
  /** Tells screen readers what has changed. */
  say: (text: string) => void;
}

function Row({ document, speaker, seconds, percent, editable, voices, say }: RowProps) {
  const [open, setOpen] = useState<Opened | null>(null);
  const row = useRef<HTMLLIElement>(null);
  return (
    <li ref={row}>
      <div className="flex min-h-8 items-center justify-between gap-2">
        {open === "renaming" ? (
          <RenameField document={document} speaker={speaker} onEnd={() => setOpen(null)} />
        ) : (
          <>
            <SpeakerLabel id={speaker.id} name={speakerName(speaker)} wrap className="min-w-0 flex-1" />
            {editable && <RowMenu document={document} speaker={speaker} remembers={voices !== null} onOpen={setOpen} />}
          </>
        )}
      </div>
      <TalkTime speaker={speaker} seconds={seconds} percent={percent} />
      {voices && (
        <Suspense fallback={null}>
          <SpeakerVoice
            speaker={speaker}
            voices={voices}
            onAnswered={(answer) => {
              row.current?.querySelector("button")?.focus();
              say(answer);
            }}
          />
          {open === "remembering" && <RememberSheet speaker={speaker} voices={voices} onClose={() => setOpen(null)} />}
        </Suspense>
      )}
    </li>
  );
}

type Opened = "renaming" | "remembering";

interface RowMenuProps extends Pick<RowProps, "document" | "speaker"> {
  /** Whether the voice can be remembered. */
  remembers: boolean;
  onOpen: (what: Opened) => void;
}

function RowMenu({ document, speaker, remembers, onOpen }: RowMenuProps) {
  const { t } = useTranslation("editor");
  const others = useStore(document, (state) => state.speakers).filter(({ id }) => id !== speaker.id);
  return (
    <Menu
      trigger={
        <IconButton label={t("speakers.more", { speaker: speakerName(speaker) })} className="-mr-2 size-8">
          <Ellipsis aria-hidden="true" />
        </IconButton>
      }
    >
      <MenuItem onSelect={() => onOpen("renaming")}>
        <Pencil aria-hidden="true" />
        {t("speakers.rename")}
      </MenuItem>
      {remembers && (
        <Suspense fallback={null}>
          <RememberItem onSelect={() => onOpen("remembering")} />
        </Suspense>
      )}
      {others.length > 0 && <MenuSeparator />}
      {others.map((other) => (
        <MenuItem
          key={other.id}
          onSelect={() => document.actions.edit({ kind: "merge_speakers", from: speaker.id, into: other.id })}
        >
          <Merge aria-hidden="true" />
          {t("speakers.mergeInto", { speaker: speakerName(other) })}
        </MenuItem>
      ))}
    </Menu>
  );
}

function TalkTime({ speaker, seconds, percent }: Pick<RowProps, "speaker" | "seconds" | "percent">) {
  const { t } = useTranslation("editor");
  const locale = useLocale();
  return (
    <div className="mt-1 flex items-center gap-3">
      <div aria-hidden="true" className="h-1 grow overflow-hidden rounded-full bg-paper-sunk">
        <div className="own-colour h-full rounded-full" style={{ width: `${percent}%`, background: speakerColour(speaker.id) }} />
      </div>
      <span className="figures shrink-0 text-xs text-ink-faint" title={t("speakers.share")}>
        {formatClock(seconds)} · {formatPercent(percent, locale)}
      </span>
    </div>
  );
}
