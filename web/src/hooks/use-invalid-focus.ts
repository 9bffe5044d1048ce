import { type RefObject, useEffect, useRef, useState } from "react";

/** Takes the focus to the first wrong field; `refused` is called after a submit that did not succeed. */
export function useInvalidFocus(): { form: RefObject<HTMLFormElement | null>; refused: () => void } {
  const form = useRef<HTMLFormElement>(null);
  const [refusals, setRefusals] = useState(0);
  // Only when the errors are on the page is it known which fields are wrong.
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [refusals]);
  return { form, refused: () => setRefusals((before) => before + 1) };
}
