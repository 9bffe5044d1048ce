/** The current step of the tour: started by the page of the sample, or again from its menu. */
import { create } from "zustand";

/** The steps in order, named after what they explain; also the keys of their texts. */
export const TOUR_STEPS = ["listen", "correct", "take"] as const;

interface TourState {
  /** Null without a tour. */
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
