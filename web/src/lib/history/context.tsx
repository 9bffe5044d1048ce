/** The router over the browser's history: the shown page stays until the next one has been fetched. */
import { createContext, type ReactNode, use, useEffect, useLayoutEffect, useState, useTransition } from "react";
import { type NavigationType, Router } from "react-router";
import type { History, Place } from "./history";

interface Shown {
  history: History;
  /** The place that is shown, which is not yet that of the address while the next page is being fetched. */
  place: Place;
  /** The next page is being fetched. */
  opening: boolean;
}

const ShownContext = createContext<Shown | null>(null);

export function HistoryRouter({ history, children }: { history: History; children: ReactNode }) {
  const [place, setPlace] = useState(history.place);
  const [opening, startOpening] = useTransition();
  useLayoutEffect(() => history.listen((next) => startOpening(() => setPlace(next))), [history]);
  return (
    <ShownContext value={{ history, place, opening }}>
      <Router location={place.location} navigationType={place.action as NavigationType} navigator={history}>
        {children}
      </Router>
    </ShownContext>
  );
}

/** What is shown; null where a test has a router of its own. */
export const useShown = (): Shown | null => use(ShownContext);

interface LeaveBlocker {
  /** The reader wants to leave, and has to be asked. */
  blocked: boolean;
  /** Leaves. */
  proceed: () => void;
  /** Stays. */
  reset: () => void;
}

/** Keeps the reader on the page until they have been asked. At another address of the path `within` they are still on it. */
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
