/** Marks a field that links lead to: the name after `#` in the URL focuses it once it is mounted. */
import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router";

interface FieldAnchorProps {
  name: string;
  children: ReactNode;
  className?: string;
}

const CONTROLS = "input, textarea, select, button:not([disabled])";

export function FieldAnchor({ name, children, className }: FieldAnchorProps) {
  const { hash, key } = useLocation();
  const place = useRef<HTMLDivElement>(null);
  const isTarget = hash === `#${name}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: following the same link again has another key, and must scroll again
  useEffect(() => {
    if (!isTarget) return;
    // After the page has focused its heading and scrolled to the top.
    const frame = requestAnimationFrame(() => {
      const control = place.current?.querySelector<HTMLElement>(CONTROLS) ?? place.current;
      place.current?.scrollIntoView({ block: "center" });
      control?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [isTarget, key]);
  return (
    <div ref={place} tabIndex={-1} className={className}>
      {children}
    </div>
  );
}
