/** Why the job cannot start. The Start button is at the bottom of the screen, so the alert scrolls into view. */
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { scrollBehavior } from "@/lib/scroll-behavior";

export function FormAlert({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "center", behavior: scrollBehavior() });
  }, []);

  return (
    <div ref={box} role="alert" tabIndex={-1} className="flex gap-3 rounded-lg border border-bad bg-bad-wash px-4 py-3">
      {children}
    </div>
  );
}
