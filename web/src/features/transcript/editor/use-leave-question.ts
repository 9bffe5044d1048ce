/**
 * Asks before leaving the page while edits exist only there: the server has not stored them, and the browser's storage
 * is full. If they are saved meanwhile, the question disappears.
 */
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { useShown } from "@/lib/history";
import type { DocumentStore } from "../document/document-store";
import { wouldLoseEdits } from "../document/use-document";

/** How long a save may take before the question is shown, in ms. */
const QUESTION_DELAY_MS = 700;

export interface LeaveQuestion {
  asking: boolean;
  /** Leaves; unsaved edits are lost. */
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
      // Another view of this text is not another page.
      if (pathname === history.place().location.pathname || !wouldLoseEdits(document)) {
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
    const timer = setTimeout(ask, QUESTION_DELAY_MS);
    const goWhenSaved = () => {
      if (!document.actions.unsaved()) {
        setGo(null);
        go();
      }
    };
    const end = document.subscribe(goWhenSaved);
    let mounted = true;
    void document.actions.flush().then(() => mounted && document.actions.unsaved() && ask());
    return () => {
      mounted = false;
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
