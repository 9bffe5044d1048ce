import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { browserTrayStorage } from "./tray-storage";
import { useRecordingsOnTrays } from "./use-recordings-on-trays";

const voice = (id: string) => ({ kind: "voice" as const, recording: { id, filename: `${id}.wav`, size: 9, duration: 3 } });

it("returns current and former recordings on the trays of all tabs of the owner", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const elsewhere = browserTrayStorage(localStorage);
  elsewhere.add("ann", "voice/v1", voice("v1"));
  elsewhere.change("ann", "voice/v1", { gone: true });
  elsewhere.add("bob", "voice/v2", voice("v2"));
  let taken: readonly string[] = [];
  const Page = () => {
    taken = useRecordingsOnTrays("ann");
    return null;
  };
  const root = createRoot(document.createElement("div"));
  await act(async () => root.render(<Page />));
  expect(taken).toEqual(["v1"]);
  await act(async () => {
    elsewhere.add("ann", "voice/v3", voice("v3"));
    elsewhere.remove("ann", "voice/v1");
    window.dispatchEvent(new StorageEvent("storage"));
  });
  expect(taken).toEqual(["v1", "v3"]);
  await act(async () => root.unmount());
  localStorage.clear();
});
