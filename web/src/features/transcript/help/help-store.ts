/** Whether the list of shortcuts is open: it can be opened from several places on the page. */
import { create } from "zustand";

interface HelpState {
  open: boolean;
  show: () => void;
  hide: () => void;
}

export const useHelp = create<HelpState>()((set) => ({
  open: false,
  show: () => set({ open: true }),
  hide: () => set({ open: false }),
}));
