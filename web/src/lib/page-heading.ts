/** What a page is about, when its address does not say it: the header of the shell shows it as the page's one heading. */
import { useEffect } from "react";
import { createStore } from "zustand/vanilla";

interface PageHeading {
  title: string;
  /** It is the sample that a new account comes with. */
  sample: boolean;
}

export const pageHeading = createStore<{ heading: PageHeading | null }>()(() => ({ heading: null }));

/** Names the page for as long as it is there. */
export function usePageHeading(title: string, sample: boolean): void {
  useEffect(() => {
    const heading = { title, sample };
    pageHeading.setState({ heading });
    return () => {
      // Another page may have named itself already.
      if (pageHeading.getState().heading === heading) pageHeading.setState({ heading: null });
    };
  }, [title, sample]);
}
