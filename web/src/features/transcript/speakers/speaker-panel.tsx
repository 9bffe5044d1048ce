/** Who speaks in the recording, and how much of it: names are written in their place, two who are one become one. */
import { Ellipsis, Merge, Pencil } from "lucide-react";
import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { IconButton } from "@/components/icon-button";
import { Menu, MenuItem, MenuRule } from "@/components/menu";
import { SpeakerLabel } from "@/components/transcript/speaker-label";
import { speakerColour, speakerName } from "@/components/transcript/speakers";
import { useLocale } from "@/hooks/use-locale";
import { useStoreSoon } from "@/hooks/use-store-soon";
import { formatClock, formatPercent } from "@/lib/format";
import type { DocumentStore } from "../document/document-store";
import type { Speaker } from "../document/model";
import { RenameField } from "./rename-field";
import { talkTimes } from "./talk-time";

export const SpeakerPanel = memo(function SpeakerPanel({ document, editable }: { document: DocumentStore; editable: boolean }) {
  const { t } = useTranslation("editor");
  const speakers = useStore(document, (state) => state.speakers);
  const times = useStoreSoon(document, (state) => talkTimes(state.segments));
  const whole = [...times.values()].reduce((sum, seconds) => sum + seconds, 0);
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
          whole={whole}
          editable={editable}
        />
      ))}
    </ul>
  );
  return (
    <section aria-label={t("speakers.label")} data-tour="speakers" className="rounded-lg border border-rule bg-paper-raised p-4">
      <h3 className="kicker">{t("speakers.label")}</h3>
      {rows}
    </section>
  );
});

interface RowProps {
  document: DocumentStore;
  speaker: Speaker;
  seconds: number;
  /** Seconds of speech of all. */
  whole: number;
  editable: boolean;
}

function Row({ document, speaker, seconds, whole, editable }: RowProps) {
  const { t } = useTranslation("editor");
  const locale = useLocale();
  const [renaming, setRenaming] = useState(false);
  const others = useStore(document, (state) => state.speakers).filter(({ id }) => id !== speaker.id);
  const name = speakerName(speaker);
  const percent = whole > 0 ? (seconds / whole) * 100 : 0;
  return (
    <li>
      <div className="flex min-h-8 items-center justify-between gap-2">
        {renaming ? (
          <RenameField document={document} speaker={speaker} onEnd={() => setRenaming(false)} />
        ) : (
          <>
            <SpeakerLabel id={speaker.id} name={name} wrap className="min-w-0 flex-1" />
            {editable && (
              <Menu
                trigger={
                  <IconButton label={t("speakers.more", { speaker: name })} className="-mr-2 size-8">
                    <Ellipsis aria-hidden="true" />
                  </IconButton>
                }
              >
                <MenuItem onSelect={() => setRenaming(true)}>
                  <Pencil aria-hidden="true" />
                  {t("speakers.rename")}
                </MenuItem>
                {others.length > 0 && <MenuRule />}
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
            )}
          </>
        )}
      </div>
      <div className="mt-1 flex items-center gap-3">
        <div aria-hidden="true" className="h-1 grow overflow-hidden rounded-full bg-paper-sunk">
          <div
            className="own-colour h-full rounded-full"
            style={{ width: `${percent}%`, background: speakerColour(speaker.id) }}
          />
        </div>
        <span className="figures shrink-0 text-xs text-ink-faint" title={t("speakers.share")}>
          {formatClock(seconds)} · {formatPercent(percent, locale)}
        </span>
      </div>
    </li>
  );
}
