/** Marks in the text where somebody speaks and nothing was recognised. */
import { AudioLines, RotateCw } from "lucide-react";
import { type RefObject, Suspense, useLayoutEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { RemovedPassage } from "@/api";
import { Button } from "@/components/button";
import { releaseFocus } from "@/domain/transcript/pointer-focus";
import { SpeakerLabel } from "@/domain/transcript/speaker-label";
import { speakerName } from "@/domain/transcript/speakers";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatClock, formatPercent } from "@/lib/format";
import type { Text } from "../document/apply";
import { isActive } from "../recognise-again/api";
import { hasWords, overlapping, segmentBefore } from "../recognise-again/stretch";
import { useStretches } from "../recognise-again/use-stretches";
import type { Workspace } from "../workspace";
import { isUnrecognised, useRemoved } from "./use-removed";

type BySegment = ReadonlyMap<string, readonly RemovedPassage[]>;

/** The passages that are still without words, by the segment behind which they are spoken. */
export function useUnrecognised(workspace: Workspace): BySegment {
  const passages = useRemoved(workspace);
  const voiced = useMemo(() => passages.filter(isUnrecognised), [passages]);
  const selectPlaces = useMemo(() => placesOf(voiced), [voiced]);
  const places = useStore(workspace.document, selectPlaces);
  return useMemo(() => {
    const found = new Map<string, RemovedPassage[]>();
    for (const place of places.split("\n")) {
      const [number, segment = ""] = place.split(" ");
      const passage = voiced.find((each) => String(each.number) === number);
      if (passage) {
        found.set(segment, [...(found.get(segment) ?? []), passage]);
      }
    }
    return found;
  }, [places, voiced]);
}

/**
 * Selects the passages without words, each with the segment behind which it is spoken. A text, so that it is the same one
 * as long as the places are the same. Most changes of the store leave the segments as they are: then nothing is searched.
 */
function placesOf(passages: readonly RemovedPassage[]): (text: Text) => string {
  let seen: Text["segments"] | null = null;
  let places = "";
  return ({ segments, positions }) => {
    if (segments !== seen) {
      seen = segments;
      places = passages
        .filter((passage) => !positions.has(passage.segment) && !hasWords(segments, passage))
        .map((passage) => `${passage.number} ${segmentBefore(segments, passage)?.id ?? segments[0]?.id ?? ""}`)
        .join("\n");
    }
    return places;
  };
}

/** What a note needs of its page. */
export type NotePage = Pick<Workspace, "job" | "document" | "player" | "editable" | "askAgain">;

interface NotesProps {
  passages: readonly RemovedPassage[];
  /** Who speaks in the segment before them; another speaker is named. */
  before: string | null;
  page: NotePage;
}

export function UnrecognisedNotes({ passages, before, page }: NotesProps) {
  return (
    <Suspense fallback={null}>
      {passages.map((passage) => (
        <Note key={passage.number} passage={passage} before={before} page={page} />
      ))}
    </Suspense>
  );
}

function Note({ passage, before, page }: { passage: RemovedPassage } & Pick<NotesProps, "before" | "page">) {
  const { t } = useTranslation("removed");
  const locale = useLocale();
  const { player, askAgain } = page;
  const name = useStore(page.document, ({ speakers }) => speakers.find(({ id }) => id === passage.speaker)?.name);
  const { start, end } = passage;
  const running = overlapping(useStretches(page), passage).find(isActive);
  const note = useRef<HTMLDivElement>(null);
  useFocusInText(note);
  const span = { from: formatClock(start), to: formatClock(end) };
  return (
    // The text around it may be in another language than the page.
    <div ref={note} lang={locale} data-testid="unrecognised" className="flex flex-wrap items-center gap-x-4 font-sans text-sm">
      {passage.speaker != null && passage.speaker !== before && (
        <SpeakerLabel id={passage.speaker} name={speakerName({ id: passage.speaker, name })} />
      )}
      <button
        type="button"
        aria-label={t("unrecognised.play", span)}
        onClick={(event) => {
          releaseFocus(event);
          player.getState().playOnce({ from: start, to: end });
        }}
        className="-ml-1.5 inline-flex min-h-7 items-center gap-1.5 rounded px-1.5 text-ink-soft hover:bg-accent-wash hover:text-accent-strong pointer-coarse:min-h-11"
      >
        <AudioLines aria-hidden="true" className="size-4 shrink-0" />
        {t("unrecognised.label")} <span className="figures text-xs">{t("unrecognised.span", span)}</span>
      </button>
      <Button
        size="small"
        look="quiet"
        // Wrapped, its words begin where the line above does. What is under way stays readable.
        className={cx("-ml-3", running && "opacity-100!")}
        aria-label={running ? undefined : t("unrecognised.againOf", span)}
        busy={running !== undefined}
        onClick={() => askAgain({ start, end })}
      >
        {!running && <RotateCw aria-hidden="true" />}
        {running ? t("unrecognised.running", { percent: formatPercent(running.percent, locale) }) : t("unrecognised.again")}
      </Button>
    </div>
  );
}

/** When the note goes because words are there now, the focus in it moves to the text. */
function useFocusInText(note: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = note.current;
    return () => {
      if (element?.contains(document.activeElement)) {
        element.closest<HTMLElement>("[tabindex='0']")?.focus({ preventScroll: true });
      }
    };
  }, [note]);
}
