/**
 * Announces changes to screen readers at intervals, because a job's progress changes faster than anybody can listen.
 */
import { useEffect, useRef, useState } from "react";

const EVERY_MS = 15_000;

export function Announcer({ text, now = false }: { text: string; now?: boolean }) {
  const [spoken, setSpoken] = useState("");
  const last = useRef(0);
  useEffect(() => {
    const wait = now ? 0 : Math.max(0, last.current + EVERY_MS - performance.now());
    const timer = setTimeout(() => {
      last.current = performance.now();
      setSpoken(text);
    }, wait);
    return () => clearTimeout(timer);
  }, [text, now]);
  return (
    <p className="sr-only" role="status" aria-live="polite">
      {spoken}
    </p>
  );
}
