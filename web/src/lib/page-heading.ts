/** The heading of a page whose path has no fixed title, such as a transcript; shown in the shell's header. */
import { useEffect } from "react";
import { createStore } from "zustand/vanilla";

/** How the reader can rename it. */
export interface Naming {
  /** The current name given by the reader; empty if there is none. */
  currentName: string;
  /** The default name. */
  defaultName: string;
  /** An empty name restores the default. */
  save: (name: string) => Promise<unknown>;
}

interface PageHeading {
  title: string;
  /** Whether it is the sample transcript of a new account. */
  sample: boolean;
  /** Null if it cannot be renamed. */
  naming: Naming | null;
}

export const pageHeading = createStore<{ heading: PageHeading | null }>()(() => ({ heading: null }));

/** Sets the heading while the page is mounted. `naming` must be a stable object. */
export function usePageHeading(title: string, sample: boolean, naming: Naming | null = null): void {
  useEffect(() => {
    const heading = { title, sample, naming };
    pageHeading.setState({ heading });
    return () => {
      // Another page may have set its heading already.
      if (pageHeading.getState().heading === heading) pageHeading.setState({ heading: null });
    };
  }, [title, sample, naming]);
}
