/**
 * Asks before another page of the application takes this one's place while nothing but this page holds what was written:
 * the server has not taken it, and the browser's storage has no room. What is saved meanwhile needs no answer.
 */
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { useShown } from "@/lib/history";
import type { DocumentStore } from "../document/document-store";
import { asksToStay } from "../document/use-document";

/** So long a save may take before one is asked, in ms. */
const PATIENCE_MS = 700;

export interface LeaveQuestion {
  asking: boolean;
  /** Leaves; what was not saved is lost. */
  leave: () => void;
  stay: () => void;
}

export function useLeaveQuestion(document: DocumentStore): LeaveQuestion {
  const history = useShown()?.history;
  const endangered = useStore(document, ({ kept }) => !kept);
  const [go, setGo] = useState<(() => void) | null>(null);
  const [asking, setAsking] = useState(false);

  useEffect(() => {
    if (!endangered || !history) {
      return;
    }
    return history.block((leave, pathname) => {
      // Another view of this text is no other page.
      if (pathname === history.place().location.pathname || !asksToStay(document)) {
        leave();
      } else {
        setGo(() => leave);
      }
    });
  }, [endangered, history, document]);

  useEffect(() => {
    if (!go) {
      return;
    }
    const ask = () => setAsking(true);
    const timer = setTimeout(ask, PATIENCE_MS);
    const goWhenSaved = () => {
      if (!document.actions.unsaved()) {
        setGo(null);
        go();
      }
    };
    const end = document.subscribe(goWhenSaved);
    let here = true;
    void document.actions.flush().then(() => here && document.actions.unsaved() && ask());
    return () => {
      here = false;
      clearTimeout(timer);
      end();
      setAsking(false);
    };
  }, [go, document]);

  return {
    asking: go !== null && asking,
    leave: () => {
      setGo(null);
      go?.();
    },
    stay: () => setGo(null),
  };
}
