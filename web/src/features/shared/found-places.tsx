/** Search results in the text, as links to their positions. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { SpokenSegment } from "@/domain/transcript/model";
import { SpeakerLabel } from "@/domain/transcript/speaker-label";
import { type NamedSpeaker, namesOf, speakerSign } from "@/domain/transcript/speakers";
import { formatClock } from "@/lib/format";
import { rangesByText, type TextRange } from "@/rules/text";
import { piecesOf } from "./match-pieces";

/** With more results, the reader will refine the query. */
const MAX_SHOWN = 200;

interface FoundPlacesProps {
  segments: readonly SpokenSegment[];
  speakers: readonly NamedSpeaker[];
  query: string;
  /** Gets the index of the segment. */
  onChoose: (segment: number) => void;
}

export function FoundPlaces({ segments, speakers, query, onChoose }: FoundPlacesProps) {
  const { t } = useTranslation("sharing");
  const texts = useMemo(() => segments.map(({ text }) => text), [segments]);
  const matches = useMemo(() => [...rangesByText(texts, query)], [texts, query]);
  const names = useMemo(() => namesOf(speakers), [speakers]);
  const count = matches.reduce((sum, [, ranges]) => sum + ranges.length, 0);
  return (
    <section aria-label={t("page.results")}>
      <p role="status" className="mb-3 text-sm text-ink-soft">
        {t("page.found", { count })}
      </p>
      <ul className="flex flex-col divide-y divide-rule">
        {matches.slice(0, MAX_SHOWN).map(([position, ranges]) => {
          const segment = segments[position];
          return (
            segment && (
              <li key={position}>
                <button
                  type="button"
                  onClick={() => onChoose(position)}
                  className="grid w-full grid-cols-[3.25rem_minmax(0,1fr)] rounded py-2.5 text-left hover:bg-paper-sunk sm:grid-cols-[4.5rem_minmax(0,1fr)]"
                >
                  <span className="figures pt-1 text-xs text-ink-faint">{formatClock(segment.start)}</span>
                  <span className="min-w-0">
                    {segment.speaker != null && (
                      <SpeakerLabel id={segment.speaker} name={names.get(segment.speaker) ?? speakerSign(segment.speaker)} />
                    )}
                    <Marked text={segment.text} ranges={ranges} />
                  </span>
                </button>
              </li>
            )
          );
        })}
      </ul>
    </section>
  );
}

function Marked({ text, ranges }: { text: string; ranges: readonly TextRange[] }) {
  return (
    <span className="reading block">
      {piecesOf(text, ranges).map(({ from, text: piece, found }) =>
        found ? (
          <mark key={from} className="rounded-sm bg-voice-word text-ink">
            {piece}
          </mark>
        ) : (
          piece
        ),
      )}
    </span>
  );
}
