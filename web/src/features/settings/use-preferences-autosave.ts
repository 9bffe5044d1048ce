import { useEffect, useState } from "react";
import { beforeSignOut, onSessionEnd } from "@/api";
import { type Preferences, useSavePreferences } from "@/api/account";
import { limits } from "@/rules";
import { type Autosave, createAutosave, type SaveState } from "./autosave";

interface PreferencesAutosave {
  autosave: Autosave<Preferences>;
  state: SaveState;
  error: unknown;
}

/** Autosave of the preferences: no change is lost when the page is closed, and none is saved for another user. */
export function usePreferencesAutosave(): PreferencesAutosave {
  const savePreferences = useSavePreferences();
  const [saveStatus, setSaveStatus] = useState<{ state: SaveState; error: unknown }>({ state: "idle", error: null });
  const [autosave] = useState(() => {
    const { autosave_delay_ms: delayMs, saved_indicator_ms: shownMs } = limits();
    return createAutosave<Preferences>({
      save: (change, leaving) => savePreferences({ change, leaving }),
      delayMs,
      shownMs,
      onState: (state, error = null) => setSaveStatus({ state, error }),
    });
  });

  useEffect(() => {
    // In one request that outlives page and session: there may be no time for more.
    const leave = () => autosave.flush(true);
    const stops = [onSessionEnd(autosave.forget), beforeSignOut(leave)];
    window.addEventListener("pagehide", leave);
    return () => {
      for (const stop of stops) stop();
      window.removeEventListener("pagehide", leave);
      void autosave.flush();
    };
  }, [autosave]);

  return { autosave, ...saveStatus };
}
