/**
 * Three cards beside the real controls of the workspace, which stay usable. Escape ends the tour, unless a focused
 * field handles it.
 */
import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { originOf, restoreFocus } from "@/lib/focus-origin";
import { TOUR_STEPS, useTour } from "./tour-store";
import { useMarks } from "./use-marks";

type Step = (typeof TOUR_STEPS)[number];

/** The elements that each step explains; its card covers none of them. */
const ABOUT: Record<Step, readonly string[]> = {
  listen: ["play", "text"],
  correct: ["edit", "text"],
  take: ["take", "speakers"],
};

/** Distance of a ring from its element, in px. */
const OFF = 4;

interface TourProps {
  step: number;
  /** Called when the tour is completed or dismissed. */
  onEnd: () => void;
}

export function Tour({ step, onEnd }: TourProps) {
  const { t } = useTranslation("sample");
  const card = useRef<HTMLDivElement>(null);
  const name = TOUR_STEPS[step] ?? TOUR_STEPS[0];
  const marks = useMarks(ABOUT[name], card);
  const id = useId();
  const last = step === TOUR_STEPS.length - 1;
  const go = useTour((state) => state.go);
  useFocusOfStep(card, step);
  useEscape(card, onEnd);
  return (
    <>
      {marks?.rings.map((ring, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the first ring is that of the first control
          key={index}
          aria-hidden="true"
          data-testid="tour-ring"
          className="pointer-events-none fixed z-30 rounded-lg border-2 border-accent print:hidden"
          style={{
            left: ring.left - OFF,
            top: ring.top - OFF,
            width: ring.width + 2 * OFF,
            height: ring.height + 2 * OFF,
          }}
        />
      ))}
      <div
        ref={card}
        role="dialog"
        aria-modal="false"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text`}
        tabIndex={-1}
        data-testid="tour"
        className="fixed z-30 w-[min(22rem,calc(100vw-1.5rem))] rounded-lg border border-accent bg-paper-raised p-4 shadow-sheet print:hidden"
        style={marks ? marks.at : { left: 0, top: 0 }}
      >
        <p className="kicker">{t("tour.step", { step: step + 1, steps: TOUR_STEPS.length })}</p>
        <h3 id={`${id}-title`} className="headline mt-1 text-lg">
          {t(`tour.${name}.title`)}
        </h3>
        <p id={`${id}-text`} className="mt-1.5 text-pretty text-ink-soft">
          {t(`tour.${name}.text`)}
        </p>
        <div className="mt-3 flex flex-wrap items-center gap-2">
          {!last && (
            <Button size="small" look="quiet" className="-ml-3" onClick={onEnd}>
              {t("tour.skip")}
            </Button>
          )}
          <div className="ml-auto flex gap-2">
            {step > 0 && (
              <Button size="small" onClick={() => go(-1)}>
                {t("tour.back")}
              </Button>
            )}
            <Button size="small" look="primary" onClick={() => (last ? onEnd() : go(1))}>
              {t(last ? "tour.done" : "tour.next")}
            </Button>
          </div>
        </div>
      </div>
    </>
  );
}

/**
 * Each step is announced: the focus moves to its card, but never away from a field. At the end it returns to where it
 * was, or to the text.
 */
function useFocusOfStep(card: RefObject<HTMLElement | null>, step: number): void {
  const [origin] = useState(() => originOf(document.activeElement));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another step is shown
  useEffect(() => {
    // A menu that has begun the tour first gives the focus back to its button.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        if (!isField(document.activeElement)) card.current?.focus({ preventScroll: true });
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [card, step]);
  useEffect(
    () => () => {
      restoreFocus(origin);
      const text = document.querySelector<HTMLElement>("[data-tour=text]");
      if (document.activeElement === document.body) text?.focus({ preventScroll: true });
    },
    [origin],
  );
}

const isField = (element: EventTarget | null) =>
  element instanceof Element && element.closest("input:not([type=range]), textarea, select, [contenteditable]") !== null;

/** Dialogs over the page, and focused fields, handle Escape themselves. */
function useEscape(card: RefObject<HTMLElement | null>, onEnd: () => void): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    const target = event.target instanceof Element ? event.target : null;
    // While the card has the focus, it handles Escape, even if a dialog is still fading out.
    if (!card.current?.contains(target)) {
      const over = target?.closest("[role=dialog], [role=menu], [role=listbox]");
      if (event.defaultPrevented || isField(target) || over) return;
    }
    event.preventDefault();
    onEnd();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handleKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}
