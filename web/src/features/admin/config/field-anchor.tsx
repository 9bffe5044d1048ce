/** Marks a field that links lead to: its name after `#` takes the reader into it as soon as it is there. */
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
  const wanted = hash === `#${name}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link once more leads there once more, by another key
  useEffect(() => {
    if (!wanted) return;
    // After the page has taken the focus to its heading, and has scrolled to its top.
    const frame = requestAnimationFrame(() => {
      const control = place.current?.querySelector<HTMLElement>(CONTROLS) ?? place.current;
      place.current?.scrollIntoView({ block: "center" });
      control?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [wanted, key]);
  return (
    <div ref={place} tabIndex={-1} className={className}>
      {children}
    </div>
  );
}
