import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, StrictMode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client";
import { SESSION } from "@/api/test-session";
import { startI18n } from "@/lib/i18n";
import texts from "@/locales/uk/sample.json";
import { TourSlot } from "./tour-slot";
import { useTour } from "./tour-store";

let root: Root;
let offered: boolean;
let ended: number;
const openText = vi.fn();

const mark = () => document.querySelector<HTMLElement>("[role=dialog]");
const title = () => mark()?.querySelector("h3")?.textContent;
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 60)));
const press = (name: string) =>
  act(async () => [...document.querySelectorAll("button")].find((element) => element.textContent === name)?.click());
const key = (target: EventTarget, name: string) =>
  act(async () => void target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true })));

beforeAll(async () => {
  await startI18n();
  // Loading the code may take long on a busy machine.
  await import("./tour");
}, 60_000);

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  offered = true;
  ended = 0;
  openText.mockReset();
  useTour.getState().stop();
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "GET") return Response.json({ is_offered: offered, sample: "s" });
    ended += 1;
    return new Response(null, { status: 204 });
  });
  session.begin(SESSION, true);
  document.body.innerHTML = `<button data-tour="play">play</button><textarea></textarea><main></main>`;
});

afterEach(async () => {
  await act(async () => root.unmount());
  document.body.innerHTML = "";
});

async function show() {
  root = createRoot(document.querySelector("main") as HTMLElement);
  await act(async () =>
    root.render(
      <StrictMode>
        <QueryClientProvider client={new QueryClient()}>
          <TourSlot openText={openText} />
        </QueryClientProvider>
      </StrictMode>,
    ),
  );
  await settle();
}

it("starts automatically when offered, moves forward and back, and ends permanently", async () => {
  await show();
  expect(title()).toBe(texts.tour.listen.title);
  expect(document.activeElement).toBe(mark());
  expect(openText).toHaveBeenCalled();
  await press(texts.tour.next);
  expect(title()).toBe(texts.tour.correct.title);
  await press(texts.tour.back);
  expect(title()).toBe(texts.tour.listen.title);
  await press(texts.tour.next);
  await press(texts.tour.next);
  expect(title()).toBe(texts.tour.take.title);
  expect(ended).toBe(0);
  await press(texts.tour.done);
  await settle();
  expect(mark()).toBeNull();
  expect(ended).toBe(1);
});

it("is closed by Escape, except in a field or an overlay", async () => {
  await show();
  const field = document.querySelector("textarea") as HTMLElement;
  await key(field, "Escape");
  expect(mark()).not.toBeNull();
  const menu = document.body.appendChild(document.createElement("div"));
  menu.setAttribute("role", "menu");
  await key(menu, "Escape");
  expect(mark()).not.toBeNull();
  await key(document.body, "Escape");
  await settle();
  expect(mark()).toBeNull();
  expect(ended).toBe(1);
});

it("ends when the page is left", async () => {
  await show();
  await act(async () => root.unmount());
  await settle();
  expect(ended).toBe(1);
  expect(useTour.getState().step).toBeNull();
});

it("does not start automatically after it was ended, but can be restarted", async () => {
  offered = false;
  await show();
  expect(mark()).toBeNull();
  await act(async () => useTour.getState().start());
  await settle();
  expect(title()).toBe(texts.tour.listen.title);
  await press(texts.tour.skip);
  expect(mark()).toBeNull();
});

it("does not take the focus from a field", async () => {
  document.querySelector("textarea")?.focus();
  await show();
  expect(mark()).not.toBeNull();
  expect(document.activeElement?.tagName).toBe("TEXTAREA");
});
