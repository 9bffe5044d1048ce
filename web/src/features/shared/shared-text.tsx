/** The shared text: reading, playing, searching, exporting. */

import { useQuery } from "@tanstack/react-query";
import { Download, MessageSquarePlus } from "lucide-react";
import { Tabs } from "radix-ui";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SharedComment, SharedTranscript } from "@/api";
import { sharedWaveformQuery } from "@/api/waveform";
import { Button } from "@/components/button";
import { Silence } from "@/components/drawings";
import { SearchBox } from "@/components/search-box";
import { EmptyNote } from "@/components/state-panel";
import { DialogView } from "@/domain/transcript/dialog-view";
import { Player } from "@/domain/transcript/player";
import type { MediaLink } from "@/domain/transcript/player-media";
import { createPlayerStore } from "@/domain/transcript/player-store";
import { focusQuietly } from "@/domain/transcript/pointer-focus";
import { buildTimeline } from "@/domain/transcript/timeline";
import { useLocale } from "@/hooks/use-locale";
import { formatClock, formatDateTime } from "@/lib/format";
import { saveBlob } from "@/lib/save-file";
import { CommentingContext } from "./comments";
import { EditBar } from "./edit-bar";
import { EditingContext, type EditingState } from "./editing";
import { stillApplies, withDrafts } from "./edits";
import { FoundPlaces } from "./found-places";
import { CommentView } from "./line-note";
import { spokenLines } from "./spoken";
import { fileName, textFile } from "./text-file";
import { type ScrollTarget, TextView } from "./text-view";
import { Unsaved } from "./unsaved-note";
import { useComments } from "./use-comments";
import { useEditing } from "./use-editing";
import { useVisitorName } from "./visitor-name";

interface SharedTextProps {
  token: string;
  shared: SharedTranscript;
  link: MediaLink;
}

type View = "text" | "dialog";

export function SharedText({ token, shared, link }: SharedTextProps) {
  const { t } = useTranslation("sharing");
  const { speakers } = shared.transcript;
  const visitor = useVisitorName();
  const editing = useEditing(token, shared, visitor.name);
  const drafts = editing?.drafts;
  // Memoised for when nothing is being sent: each keystroke creates new `drafts`.
  const lines = useMemo(() => {
    const { segments } = shared.transcript;
    return drafts ? withDrafts(segments, drafts) : segments;
  }, [shared.transcript, drafts]);
  const segments = useMemo(() => spokenLines(lines), [lines]);
  const { commenting, elsewhere, failed, on, toggle } = useComments(token, shared, visitor);
  const hasMedia = shared.with_media && shared.media_url != null;
  const [player] = useState(() => createPlayerStore(shared.duration));
  const [query, setQuery] = useState("");
  const [view, setView] = useState<View>("text");
  /** A search result to scroll to. */
  const [goal, setGoal] = useState<ScrollTarget | null>(null);
  // The URL changes with each fetch; the waveform is the same.
  const [waveformUrl] = useState(shared.waveform_url ?? null);
  const { data: peaks } = useQuery(sharedWaveformQuery(waveformUrl));
  const timeline = useMemo(() => buildTimeline(segments), [segments]);

  const goTo = (segment: number) => {
    setQuery("");
    setView("text");
    setGoal({ segment });
    if (hasMedia) {
      player.getState().seek(segments[segment]?.start ?? 0);
    }
  };

  const common = { segments, speakers, timeline, player, language: shared.language, timed: shared.with_times, live: hasMedia };
  return (
    <CommentingContext value={commenting}>
      <EditingContext value={editing}>
        <Head shared={shared} />
        {editing && (
          <EditBar
            editing={editing}
            visitor={visitor}
            onBegin={() => {
              setQuery("");
              setView("text");
            }}
          />
        )}
        {editing && <UnsavedElsewhere editing={editing} transcript={shared.transcript} />}
        {commenting && (
          <div className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-2 rounded bg-paper-sunk px-4 py-3">
            <p className="min-w-0 flex-1 basis-72 text-[0.9375rem] text-ink-soft">
              {t(failed ? "page.comments.failed" : "page.comments.lead")}
            </p>
            <Button
              size="small"
              aria-pressed={on}
              look={on ? "primary" : "outline"}
              onClick={() => {
                setQuery("");
                setView("text");
                toggle();
              }}
            >
              <MessageSquarePlus aria-hidden="true" />
              {t("page.comments.mode")}
            </Button>
          </div>
        )}
        {segments.length === 0 ? (
          <EmptyNote drawing={Silence} className="py-12">
            <p>{t("page.empty")}</p>
          </EmptyNote>
        ) : (
          <Tabs.Root value={view} onValueChange={(next) => setView(next as View)} className="flex flex-1 flex-col pb-10">
            <div className="mb-5 flex flex-wrap items-end justify-between gap-x-8 gap-y-3 border-b border-rule-strong">
              <Tabs.List aria-label={t("page.views")} className="flex gap-6">
                {(["text", "dialog"] as const).map((tab) => (
                  <Tabs.Trigger
                    key={tab}
                    value={tab}
                    onMouseDown={focusQuietly}
                    className="-mb-px min-h-11 border-b-[3px] border-transparent pt-1 -outline-offset-2 transition-colors not-data-[state=active]:text-ink-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:font-strong"
                  >
                    {t(`page.${tab}`)}
                  </Tabs.Trigger>
                ))}
              </Tabs.List>
              <SearchBox
                label={t("page.search")}
                clearLabel={t("page.clear")}
                value={query}
                onChange={setQuery}
                className="mb-2 sm:max-w-72"
              />
            </div>
            {query !== "" && <FoundPlaces segments={segments} speakers={speakers} query={query} onChoose={goTo} />}
            <Tabs.Content value="text" tabIndex={-1} hidden={query !== "" || view !== "text"}>
              <TextView {...common} goal={goal} commenting={commenting} editing={editing} />
              <Elsewhere comments={elsewhere} />
            </Tabs.Content>
            <Tabs.Content value="dialog" tabIndex={-1} hidden={query !== "" || view !== "dialog"}>
              <DialogView {...common} />
            </Tabs.Content>
          </Tabs.Root>
        )}
        {hasMedia && (
          <Player
            link={link}
            hasVideo={shared.has_video}
            segments={segments}
            player={player}
            peaks={peaks}
            track={shared.audio_track}
          />
        )}
      </EditingContext>
    </CommentingContext>
  );
}

/** Drafts for lines that are no longer in the text. */
function UnsavedElsewhere({ editing, transcript }: { editing: EditingState } & Pick<SharedTranscript, "transcript">) {
  const { t } = useTranslation("sharing");
  const lost = [...editing.drafts.values()].filter((draft) => draft.state !== "sending" && !stillApplies(draft, transcript));
  if (lost.length === 0) return null;
  return (
    <section aria-label={t("page.editing.unsaved")} className="mb-5">
      {lost.map((draft) => (
        <Unsaved key={draft.line} draft={draft} editing={editing} placed={false} />
      ))}
    </section>
  );
}

/** Comments on lines that were merged, split or recognised again. */
function Elsewhere({ comments }: { comments: readonly SharedComment[] }) {
  const { t } = useTranslation("sharing");
  if (comments.length === 0) return null;
  return (
    <section aria-labelledby="comments-elsewhere" className="mt-8 flex flex-col gap-3">
      <h2 id="comments-elsewhere" className="kicker">
        {t("page.comments.elsewhere")}
      </h2>
      <ul className="flex flex-col gap-3">
        {comments.map((comment) => (
          <li key={comment.id}>
            <CommentView comment={comment} quoted />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Head({ shared }: { shared: SharedTranscript }) {
  const { t } = useTranslation(["sharing", "languages"]);
  const locale = useLocale();
  const { title, duration, language, expires_at } = shared;
  const facts = [
    t(`languages:${language}` as "languages:uk", { defaultValue: language }),
    formatClock(duration),
    expires_at != null && t("sharing:page.until", { date: formatDateTime(expires_at, locale) }),
  ].filter(Boolean);
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 pt-4 pb-6 sm:flex-nowrap">
      <div className="min-w-0">
        <p className="kicker mb-1">{t("sharing:page.kicker")}</p>
        <h1 className="headline text-2xl wrap-anywhere md:text-3xl">{title}</h1>
        <p className="mt-2 text-sm text-ink-soft">{facts.join("\u00A0· ")}</p>
      </div>
      {shared.transcript.segments.length > 0 && (
        <Button onClick={() => saveBlob(new Blob([textFile(shared)], { type: "text/plain;charset=utf-8" }), fileName(title))}>
          <Download aria-hidden="true" />
          {t("sharing:page.download")}
        </Button>
      )}
    </div>
  );
}
