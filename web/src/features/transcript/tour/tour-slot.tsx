/** The tour on the page of the sample: starts when the sample is first opened, and ends when the page is left. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { endTour, tourQuery } from "@/api/tour";
import { withTexts } from "@/lib/i18n";
import { createPart, usePart } from "@/lib/part";
import { useTour } from "./tour-store";

const part = createPart(async () => (await withTexts(import("./tour"), "sample")).Tour);

/** When another run is shown, the page is remounted at once, which does not count as leaving. */
let visibleCount = 0;

/** `openText` opens the view that the steps explain. */
export function TourSlot({ openText }: { openText: () => void }) {
  const Tour = usePart(part);
  const queryClient = useQueryClient();
  const { data } = useQuery(tourQuery());
  const { step, start, stop } = useTour();
  const offered = data?.is_offered === true;
  const running = step !== null;

  const end = () => {
    stop();
    void endTour(queryClient).catch(() => undefined);
  };
  const began = useEffectEvent(openText);

  useEffect(() => {
    if (offered || running) void part.load().catch(() => undefined);
  }, [offered, running]);
  useEffect(() => {
    if (offered) start();
  }, [offered, start]);
  useEffect(() => {
    if (running) began();
  }, [running]);
  useEffect(() => {
    visibleCount += 1;
    return () => {
      visibleCount -= 1;
      queueMicrotask(() => {
        const { step, stop } = useTour.getState();
        if (visibleCount > 0 || step === null) return;
        stop();
        // A tour that was never shown has not ended.
        if (part.get() === null) return;
        void endTour(queryClient).catch(() => undefined);
      });
    };
  }, [queryClient]);

  return Tour && step !== null && <Tour step={step} onEnd={end} />;
}
