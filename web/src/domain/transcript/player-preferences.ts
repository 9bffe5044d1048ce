/** This reader's playback preferences, stored in this browser. */
import { createStore, type StoreApi } from "zustand/vanilla";

export interface PlayerPreferences {
  /** 1 is the speed of the recording; from `RATES`. */
  rate: number;
  /** Seconds to go back when a longer pause ends; from `STEPS_BACK`. */
  stepBack: number;
  /** Playback pauses while the user types, and resumes afterwards. */
  pauseWhileTyping: boolean;
  /** Single-character shortcuts are active. */
  letterKeys: boolean;
  /** The video is hidden. */
  videoFolded: boolean;
  /** Subtitles are shown on the video. */
  captions: boolean;
  /** The column beside the text on a wide page is hidden. */
  detailsHidden: boolean;
}

export interface PlayerPreferencesState extends PlayerPreferences {
  prefer: (part: Partial<PlayerPreferences>) => void;
}

export type PlayerPreferencesStore = StoreApi<PlayerPreferencesState>;

export const RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3] as const;
export const STEPS_BACK = [0, 1, 2, 3, 5] as const;

const KEY = "slovo.player";

const DEFAULTS: PlayerPreferences = {
  rate: 1,
  stepBack: 1,
  pauseWhileTyping: false,
  letterKeys: true,
  videoFolded: false,
  captions: true,
  detailsHidden: false,
};

export function createPlayerPreferences(storage: Storage): PlayerPreferencesStore {
  return createStore<PlayerPreferencesState>()((set, get) => ({
    ...read(storage),
    prefer: (part) => {
      set(part);
      const { prefer: _, ...kept } = get();
      try {
        storage.setItem(KEY, JSON.stringify(kept));
      } catch {
        // Quota exceeded or storage disabled: the setting lasts until the page is closed.
      }
    },
  }));
}

/** Invalid values, from an older version or edited by hand, count as unset. */
function read(storage: Storage): PlayerPreferences {
  let stored: Record<string, unknown>;
  try {
    stored = Object(JSON.parse(storage.getItem(KEY) ?? "{}"));
  } catch {
    stored = {};
  }
  const oneOf = (allowed: readonly number[], value: unknown, otherwise: number): number =>
    allowed.find((candidate) => candidate === value) ?? otherwise;
  const flag = (value: unknown, otherwise: boolean): boolean => (typeof value === "boolean" ? value : otherwise);
  return {
    rate: oneOf(RATES, stored.rate, DEFAULTS.rate),
    stepBack: oneOf(STEPS_BACK, stored.stepBack, DEFAULTS.stepBack),
    pauseWhileTyping: flag(stored.pauseWhileTyping, DEFAULTS.pauseWhileTyping),
    letterKeys: flag(stored.letterKeys, DEFAULTS.letterKeys),
    videoFolded: flag(stored.videoFolded, DEFAULTS.videoFolded),
    captions: flag(stored.captions, DEFAULTS.captions),
    detailsHidden: flag(stored.detailsHidden, DEFAULTS.detailsHidden),
  };
}

/** There is one reader per browser. */
export const playerPreferences = createPlayerPreferences(localStorage);

export const toggleCaptions = (): void => {
  const { captions, prefer } = playerPreferences.getState();
  prefer({ captions: !captions });
};
