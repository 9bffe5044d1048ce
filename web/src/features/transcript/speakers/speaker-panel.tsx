/** The speakers of the recording with their share of the speech: names can be edited in place, and speakers merged. */
import { Ellipsis, Merge, Pencil } from "lucide-react";
import { memo, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
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
import { RenameField } from "./rename-field";
import { NOBODY, talkTimes } from "./talk-time";

export const SpeakerPanel = memo(function SpeakerPanel({ document, editable }: { document: DocumentStore; editable: boolean }) {
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
}

function Row({ document, speaker, seconds, percent, editable }: RowProps) {
  const { t } = useTranslation("editor");
  const locale = useLocale();
  const [renaming, setRenaming] = useState(false);
  const others = useStore(document, (state) => state.speakers).filter(({ id }) => id !== speaker.id);
  const name = speakerName(speaker);
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
