import { type RefObject, useEffect, useRef, useState } from "react";

/** Focuses the first invalid field; call `refused` after a failed submit. */
export function useInvalidFocus(): { form: RefObject<HTMLFormElement | null>; refused: () => void } {
  const form = useRef<HTMLFormElement>(null);
  const [refusals, setRefusals] = useState(0);
  // After rendering, because only then the invalid fields are marked.
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [refusals]);
  return { form, refused: () => setRefusals((before) => before + 1) };
}
