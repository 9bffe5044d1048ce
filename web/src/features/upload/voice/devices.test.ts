import { expect, it } from "vitest";
import { microphonesOf } from "./devices";

const device = (kind: MediaDeviceKind, deviceId: string, label: string) => ({ kind, deviceId, label });

it("lists microphones by name, without the browser's aliases", () => {
  const microphones = microphonesOf([
    device("audioinput", "default", "Default - Røde"),
    device("audioinput", "communications", "Communications - Røde"),
    device("audioinput", "a1", "Røde"),
    device("audiooutput", "b1", "Speakers"),
    device("videoinput", "c1", "Camera"),
  ]);
  expect(microphones).toEqual([{ id: "a1", label: "Røde" }]);
});

it("lists none without permission", () => {
  expect(microphonesOf([device("audioinput", "", "")])).toEqual([]);
});
