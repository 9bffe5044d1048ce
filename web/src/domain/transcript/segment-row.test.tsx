// @vitest-environment happy-dom
import i18next from "i18next";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { startI18n } from "@/lib/i18n";
import uk from "@/locales/uk/transcript.json";
import { SegmentRow } from "./segment-row";

let root: Root;

beforeAll(startI18n);

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  root = createRoot(document.body.appendChild(document.createElement("div")));
});

afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
});

const show = (timed: boolean, onPlay?: (seconds: number) => void) =>
  act(async () =>
    root.render(
      <SegmentRow
        segment={{ id: "0", start: 65, end: 68, text: "Добрий день.", words: [] }}
        firstWord={0}
        t={i18next.getFixedT(null, "transcript")}
        gap={0}
        fresh={false}
        late={false}
        timed={timed}
        onPlay={onPlay}
        renderSpeaker={undefined}
        editor={undefined}
        note={undefined}
      />,
    ),
  );

it("shows its time if times were requested", async () => {
  await show(true);
  expect(document.body.textContent).toContain("1:05");
  const play = vi.fn();
  await show(true, play);
  expect(document.querySelector("button")?.textContent).toContain("1:05");
});

it("plays from its start without showing the time", async () => {
  await show(false);
  expect(document.body.textContent).toBe("Добрий день.");
  const play = vi.fn();
  await show(false, play);
  const button = document.querySelector("button");
  expect(button?.textContent).toBe("");
  expect(button?.getAttribute("aria-label")).toBe(uk.text.play);
  await act(async () => button?.click());
  expect(play).toHaveBeenCalledWith(65);
});
