/**
 * The initial position when the page is opened: the second in the URL, else the stored position; later positions are
 * stored.
 */
import { useEffect, useEffectEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigationType, useSearchParams } from "react-router";
import { fetchPosition, savePosition } from "@/api/position";
import type { PlayerStore } from "@/domain/transcript/player-store";
import { timelineOf } from "@/domain/transcript/timeline";
import { formatClock } from "@/lib/format";
import { toast } from "@/lib/toast";
import type { DocumentStore } from "../document/document-store";
import { createPositionSaver } from "./position-saver";
import { secondFromUrl, secondInText, withoutSecond } from "./second-from-url";

interface PlaybackPositionOptions {
  jobId: string;
  player: PlayerStore;
  document: DocumentStore;
  /** Whether the reader's own position is stored. */
  own: boolean;
}

export function usePlaybackPosition({ jobId, player, document, own }: PlaybackPositionOptions): void {
  const [params] = useSearchParams();
  useRequestedSecond(player, document);
  useStoredPlace({ jobId, player, own, offered: secondFromUrl(params) === null });
}

/** Seeks to the second in the URL, also when it changes while the page is open. */
function useRequestedSecond(player: PlayerStore, document: DocumentStore): void {
  const [params, setParams] = useSearchParams();
  const { key } = useLocation();
  const action = useNavigationType();
  const requested = secondFromUrl(params);
  const last = useRef<{ key: string; asked: number | null } | null>(null);

  const go = useEffectEvent(() => {
    const before = last.current;
    last.current = { key, asked: requested };
    if (requested === null || before?.key === key || (before?.asked === requested && action !== "PUSH")) {
      return;
    }
    const timeline = timelineOf(document.getState().segments);
    player.getState().find(secondInText(timeline, requested, player.getState().duration));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another history entry may contain the same second
  useEffect(() => go(), [key, requested]);

  // After the reader has moved on, a reload must not go back.
  const drop = useEffectEvent(() => {
    if (requested !== null) {
      setParams(withoutSecond, { replace: true, preventScrollReset: true });
    }
  });
  useEffect(
    () =>
      player.subscribe(({ found }, before) => {
        if (found === null && before.found !== null) {
          drop();
        }
      }),
    [player],
  );
}

interface StoredPlaceOptions extends Omit<PlaybackPositionOptions, "document"> {
  /** Whether no other position was requested. */
  offered: boolean;
}

function useStoredPlace({ jobId, player, own, offered }: StoredPlaceOptions): void {
  const { t } = useTranslation("player");
  const offer = useEffectEvent((seconds: number) => {
    const { playing, time, seeks, following, held, duration, place, seek } = player.getState();
    const started = playing || time > 0 || seeks > 0;
    if (started || !offered || seconds < 1 || (duration > 0 && seconds > duration)) {
      return;
    }
    // If the reader is already elsewhere in the text, a button leads there instead.
    if (following && !held) {
      seek(seconds);
    } else {
      place(seconds);
    }
    toast.offered(t("resumed.text", { time: formatClock(seconds) }), t("resumed.start"), () => player.getState().seek(0));
  });

  useEffect(() => {
    if (!own) {
      return;
    }
    const page = new AbortController();
    const keeper = createPositionSaver(player, (seconds, leaving) => savePosition(jobId, seconds, leaving));
    fetchPosition(jobId, page.signal).then(
      (seconds) => {
        if (seconds !== null && !page.signal.aborted) {
          keeper.began(seconds);
          offer(seconds);
        }
      },
      // On failure, playback starts at the beginning.
      () => undefined,
    );
    const leave = () => keeper.leave();
    const hide = () => window.document.visibilityState === "hidden" && keeper.leave();
    window.addEventListener("pagehide", leave, { signal: page.signal });
    window.document.addEventListener("visibilitychange", hide, { signal: page.signal });
    return () => {
      keeper.leave();
      keeper.stop();
      page.abort();
    };
  }, [jobId, player, own]);
}
