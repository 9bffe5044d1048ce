/** The media element: beside the text if it has a picture, hidden otherwise. */
import { Captions, CaptionsOff, ChevronDown, ChevronUp, Maximize, PictureInPicture2 } from "lucide-react";
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { cx } from "@/lib/class-names";
import { toast } from "@/lib/toast";
import { playTrack } from "./audio-track";
import { type CaptionSource, useCaptions } from "./captions";
import { playerPreferences, toggleCaptions } from "./player-preferences";
import type { PlayerStore } from "./player-store";
import { releaseFocus } from "./pointer-focus";

/** Where the recording is: a query that can be refetched. */
export interface MediaLink {
  data: { url: string } | undefined;
  dataUpdatedAt: number;
  isError: boolean;
  errorUpdatedAt: number;
  refetch: () => Promise<unknown>;
}

interface MediaProps {
  link: MediaLink;
  hasVideo: boolean;
  /** Audio track to play; the default one if absent. */
  track: number | null | undefined;
  /** The subtitles shown on the video. */
  captions: CaptionSource | undefined;
  player: PlayerStore;
}

export function Media({ link, hasVideo, track, captions, player }: MediaProps) {
  const { t } = useTranslation("player");
  const element = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  const otherPlays = useOtherTrack(element, track ?? null);
  const { refetch } = link;
  const url = link.data?.url;

  useEffect(
    () => (element.current ? player.getState().attach(element.current, () => void refetch()) : undefined),
    [player, refetch],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: two links requested within a second may be equal strings
  useEffect(() => {
    if (url) {
      player.getState().load(url);
    }
  }, [url, link.dataUpdatedAt, player]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a second failure is reported like the first one
  useEffect(() => {
    if (link.isError) {
      player.getState().linkFailed();
    }
  }, [link.isError, link.errorUpdatedAt, player]);

  return (
    <>
      {hasVideo ? (
        <Picture element={element} captions={captions} player={player} />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: the transcript on the same page is the caption
        <audio ref={element} preload="metadata" />
      )}
      {otherPlays && track != null && (
        <p role="status" className="pb-1 text-sm text-ink-soft">
          {t("otherTrack", { number: track + 1 })}
        </p>
      )}
    </>
  );
}

/** Whether a track other than the wanted one is played, known once the metadata is loaded. */
function useOtherTrack(element: RefObject<HTMLMediaElement | null>, track: number | null): boolean {
  const [other, setOther] = useState(false);
  useEffect(() => {
    const media = element.current;
    if (!media || track === null) {
      return;
    }
    const choose = () => setOther(!playTrack(media, track));
    media.addEventListener("loadedmetadata", choose);
    return () => media.removeEventListener("loadedmetadata", choose);
  }, [element, track]);
  return other;
}

/** Height of the video above the dock; the column above reserves this space. */
const HEIGHT_PROPERTY = "--video-height";

interface PictureProps {
  element: RefObject<(HTMLVideoElement & HTMLAudioElement) | null>;
  captions: CaptionSource | undefined;
  player: PlayerStore;
}

function Picture({ element, captions, player }: PictureProps) {
  const { t } = useTranslation("player");
  useCaptions(element, player, captions, t("video.captions"));
  const folded = useStore(playerPreferences, (state) => state.videoFolded);
  // It floats over the column beside the text, which reserves space for it; if the column is hidden, it is in the dock.
  const floats = !useStore(playerPreferences, (state) => state.detailsHidden);
  const frame = useRef<HTMLDivElement>(null);
  const id = "player-video";

  useEffect(() => {
    const root = document.documentElement.style;
    const observer = new ResizeObserver(() => {
      root.setProperty(HEIGHT_PROPERTY, `${frame.current?.offsetHeight ?? 0}px`);
    });
    if (frame.current) {
      observer.observe(frame.current);
    }
    return () => {
      observer.disconnect();
      root.removeProperty(HEIGHT_PROPERTY);
    };
  }, []);

  const fold = (event: MouseEvent<HTMLElement>) => {
    releaseFocus(event);
    playerPreferences.getState().prefer({ videoFolded: !folded });
  };

  return (
    <div
      ref={frame}
      data-testid="player-picture"
      // In a low window (a phone in landscape) the picture is small and beside the buttons: above them it would leave
      // no room for the text.
      className={cx(
        "mb-2 overflow-hidden rounded border border-rule-strong bg-paper-raised",
        "max-lg:[@media(max-height:499px)]:mb-0 max-lg:[@media(max-height:499px)]:flex max-lg:[@media(max-height:499px)]:shrink-0",
        floats && "lg:absolute lg:right-0 lg:bottom-[calc(100%+0.75rem)] lg:mb-0 lg:w-[17rem] lg:shadow-sheet",
      )}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: its track is made of the text, see captions.ts */}
      <video
        ref={element}
        id={id}
        preload="metadata"
        playsInline
        aria-label={t("video.label")}
        className={cx(
          "captioned mx-auto max-h-40 w-full cursor-pointer bg-paper-sunk object-contain max-lg:[@media(max-height:499px)]:max-h-14 max-lg:[@media(max-height:499px)]:w-24",
          floats && "lg:max-h-[40vh]",
          folded && "hidden",
        )}
        // In full screen the browser's own controls handle it.
        onClick={({ currentTarget }) => !currentTarget.controls && player.getState().toggle()}
      />
      <div className="flex h-8 items-center justify-between gap-2 pointer-coarse:h-11 max-lg:[@media(max-height:499px)]:self-center">
        <button
          type="button"
          aria-expanded={!folded}
          aria-controls={id}
          onClick={fold}
          className="flex h-full items-center gap-1.5 px-2.5 text-sm text-ink-soft hover:text-ink [&_svg]:size-4"
        >
          {folded ? <ChevronUp aria-hidden="true" /> : <ChevronDown aria-hidden="true" />}
          <span className="max-lg:[@media(max-height:499px)]:sr-only">{t(folded ? "video.show" : "video.hide")}</span>
        </button>
        {!folded && (
          <div className="flex h-full">
            {/* Beside a small picture in a low window there is no room for them. */}
            <div className="flex h-full max-lg:[@media(max-height:499px)]:hidden">
              {captions && <CaptionsButton />}
              <FullScreenButton element={element} />
            </div>
            <FloatButton element={element} />
          </div>
        )}
      </div>
    </div>
  );
}

type ElementProps = Pick<PictureProps, "element">;

interface PictureButtonProps {
  label: string;
  /** Set if the button is a toggle. */
  pressed?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function PictureButton({ label, pressed, onClick, children }: PictureButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      onClick={(event) => {
        releaseFocus(event);
        onClick();
      }}
      className="flex h-full items-center px-2.5 text-ink-soft hover:text-ink [&_svg]:size-4"
    >
      {children}
    </button>
  );
}

function CaptionsButton() {
  const { t } = useTranslation("player");
  const visible = useStore(playerPreferences, (state) => state.captions);
  return (
    <PictureButton label={t("video.captions")} pressed={visible} onClick={toggleCaptions}>
      {visible ? <Captions aria-hidden="true" /> : <CaptionsOff aria-hidden="true" />}
    </PictureButton>
  );
}

/** Shows the picture in full screen, with the browser's own controls. */
function FullScreenButton({ element }: ElementProps) {
  const { t } = useTranslation("player");
  useEffect(() => {
    const video = element.current;
    const change = () => {
      if (video) {
        video.controls = document.fullscreenElement === video;
      }
    };
    video?.addEventListener("fullscreenchange", change);
    return () => video?.removeEventListener("fullscreenchange", change);
  }, [element]);
  const enlarge = async () => {
    const video = element.current as (HTMLVideoElement & { webkitEnterFullscreen?: () => void }) | null;
    try {
      if (video?.requestFullscreen) {
        await video.requestFullscreen();
      } else {
        // iOS has its own full-screen API.
        video?.webkitEnterFullscreen?.();
      }
    } catch {
      toast.info(t("video.fullScreenRefused"));
    }
  };
  return (
    <PictureButton label={t("video.fullScreen")} onClick={() => void enlarge()}>
      <Maximize aria-hidden="true" />
    </PictureButton>
  );
}

/** Picture-in-picture, if the browser supports it. */
function FloatButton({ element }: ElementProps) {
  const { t } = useTranslation("player");
  const [offered] = useState(() => document.pictureInPictureEnabled === true);
  if (!offered) {
    return null;
  }
  const float = async () => {
    try {
      await (document.pictureInPictureElement ? document.exitPictureInPicture() : element.current?.requestPictureInPicture());
    } catch {
      // Only once the video is known and if the system allows it; otherwise it stays in place.
      toast.info(t("video.floatRefused"));
    }
  };
  return (
    <PictureButton label={t("video.float")} onClick={() => void float()}>
      <PictureInPicture2 aria-hidden="true" />
    </PictureButton>
  );
}
