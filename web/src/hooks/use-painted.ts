/** Whether what it stands in has been painted: what is not looked at first waits for that. */
import { useEffect, useState } from "react";

export function usePainted(): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    let later: ReturnType<typeof setTimeout> | undefined;
    // A frame's callbacks come before its paint, what they leave for later comes behind it.
    const frame = requestAnimationFrame(() => {
      later = setTimeout(() => setPainted(true));
    });
    // In a tab out of sight there are no frames.
    const hidden = setTimeout(() => setPainted(true), 250);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(later);
      clearTimeout(hidden);
    };
  }, []);
  return painted;
}
