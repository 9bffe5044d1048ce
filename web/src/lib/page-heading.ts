/** What a page is about, when its address does not say it: the header of the shell shows it as the page's one heading. */
import { useEffect } from "react";
import { createStore } from "zustand/vanilla";

/** How the reader calls it otherwise. */
export interface Naming {
  /** What they have called it so far; empty if they have not. */
  given: string;
  /** What it is called without that. */
  otherwise: string;
  /** An empty name takes the given one away. */
  save: (name: string) => Promise<unknown>;
}

interface PageHeading {
  title: string;
  /** It is the sample that a new account comes with. */
  sample: boolean;
  /** Without it the heading stays as it is. */
  naming: Naming | null;
}

export const pageHeading = createStore<{ heading: PageHeading | null }>()(() => ({ heading: null }));

/** Names the page for as long as it is there. `naming` is the same object until something in it changes. */
export function usePageHeading(title: string, sample: boolean, naming: Naming | null = null): void {
  useEffect(() => {
    const heading = { title, sample, naming };
    pageHeading.setState({ heading });
    return () => {
      // Another page may have named itself already.
      if (pageHeading.getState().heading === heading) pageHeading.setState({ heading: null });
    };
  }, [title, sample, naming]);
}
