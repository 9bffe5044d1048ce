import { useEffect } from "react";

const PRODUCT = "Slovo";

/** Sets the document title. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === PRODUCT ? PRODUCT : `${title} · ${PRODUCT}`;
  }, [title]);
}
