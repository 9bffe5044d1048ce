/** A router on the browser's history: the current page stays visible until the next one is loaded. */
import { createContext, type ReactNode, use, useEffect, useLayoutEffect, useState, useTransition } from "react";
import { type NavigationType, Router } from "react-router";
import type { History, Place } from "./history";

interface CurrentPlace {
  history: History;
  /** The place that is shown; while the next page is loading, the URL is already different. */
  place: Place;
  /** The next page is loading. */
  opening: boolean;
}

const PlaceContext = createContext<CurrentPlace | null>(null);

export function HistoryRouter({ history, children }: { history: History; children: ReactNode }) {
  const [place, setPlace] = useState(history.place);
  const [opening, startOpening] = useTransition();
  useLayoutEffect(() => history.listen((next) => startOpening(() => setPlace(next))), [history]);
  return (
    <PlaceContext value={{ history, place, opening }}>
      <Router location={place.location} navigationType={place.action as NavigationType} navigator={history}>
        {children}
      </Router>
    </PlaceContext>
  );
}

/** The current place; null in tests that use another router. */
export const useShown = (): CurrentPlace | null => use(PlaceContext);

interface LeaveBlocker {
  /** The reader wants to leave and must confirm. */
  blocked: boolean;
  /** Leaves. */
  proceed: () => void;
  /** Stays. */
  reset: () => void;
}

/** Asks before the reader leaves the page, except to another URL of the path `within`. */
export function useLeaveBlocker(active: boolean, within?: string): LeaveBlocker {
  const history = useShown()?.history;
  const [go, setGo] = useState<(() => void) | null>(null);
  useEffect(() => {
    if (!active || !history) return;
    const free = history.block((next, pathname) => {
      if (pathname === within) next();
      else setGo(() => next);
    });
    return () => {
      free();
      setGo(null);
    };
  }, [active, history, within]);
  return {
    blocked: go !== null,
    proceed: () => {
      go?.();
      setGo(null);
    },
    reset: () => setGo(null),
  };
}
