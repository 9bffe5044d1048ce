/** Which step of the tour is shown: the page of the sample begins it by itself, its menu begins it again. */
import { create } from "zustand";

/** What each step is about, in order; its texts have this name. */
export const TOUR_STEPS = ["listen", "correct", "take"] as const;

interface TourState {
  /** Null while there is no tour. */
  step: number | null;
  start: () => void;
  go: (by: 1 | -1) => void;
  stop: () => void;
}

export const useTour = create<TourState>()((set) => ({
  step: null,
  start: () => set({ step: 0 }),
  go: (by) => set(({ step }) => ({ step: step === null ? null : Math.min(TOUR_STEPS.length - 1, Math.max(0, step + by)) })),
  stop: () => set({ step: null }),
}));
