/** The microphones of this machine, and the one chosen last. */
import { useEffect, useState } from "react";

export interface Microphone {
  id: string;
  label: string;
}

const KEY = "slovo.voice.device";
/** Chromium's ids for its default device; our own first option means the same. */
const ALIASES = new Set(["", "default", "communications"]);

/** It belongs to the machine, not to an account, so it is kept at sign-out. */
export function readDevice(): string | null {
  return localStorage.getItem(KEY);
}

export function storeDevice(id: string | null): void {
  if (id === null) {
    localStorage.removeItem(KEY);
  } else {
    localStorage.setItem(KEY, id);
  }
}

/** Without permission, browsers tell neither ids nor labels; then the list is empty. */
export function microphonesOf(devices: readonly Pick<MediaDeviceInfo, "kind" | "deviceId" | "label">[]): Microphone[] {
  return devices
    .filter(({ kind, deviceId, label }) => kind === "audioinput" && label !== "" && !ALIASES.has(deviceId))
    .map(({ deviceId, label }) => ({ id: deviceId, label }));
}

/** Updated when a device is connected or disconnected, and when `allowed` changes. */
export function useMicrophones(allowed: boolean): Microphone[] {
  const [microphones, setMicrophones] = useState<Microphone[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: labels are available only with permission for the microphone
  useEffect(() => {
    const devices = navigator.mediaDevices as MediaDevices | undefined;
    let current = true;
    const ask = () =>
      devices?.enumerateDevices().then(
        (all) => current && setMicrophones(microphonesOf(all)),
        () => {},
      );
    void ask();
    devices?.addEventListener("devicechange", ask);
    return () => {
      current = false;
      devices?.removeEventListener("devicechange", ask);
    };
  }, [allowed]);
  return microphones;
}
