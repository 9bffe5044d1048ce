// @vitest-environment happy-dom
import { useQuery } from "@tanstack/react-query";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { TooltipProvider } from "@/components/tooltip";
import { settle, show as showPart } from "@/lib/test-page";
import { Player } from "./player";
import { createPlayerStore, type PlayerStore } from "./player-store";

const post = vi.fn<() => Promise<{ url: string }>>();
vi.mock("react-i18next", () => ({ useTranslation: () => ({ t: (key: string) => key, i18n: { language: "uk" } }) }));

function LinkedPlayer() {
  return <Player link={useQuery({ queryKey: ["link"], queryFn: post })} hasVideo={false} segments={[]} player={player} />;
}

let root: Root;
let player: PlayerStore;

const alert = () => document.querySelector("[role=alert]");
const button = (name: string) => document.querySelector<HTMLButtonElement>(`button[aria-label="${name}"]`);
const source = () => document.querySelector("audio")?.getAttribute("src");

const show = () =>
  showPart(
    root,
    <TooltipProvider>
      <LinkedPlayer />
    </TooltipProvider>,
  );

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  post.mockReset();
  document.body.innerHTML = "<main></main>";
  root = createRoot(document.querySelector("main") as HTMLElement);
  player = createPlayerStore(60);
});

afterEach(() => act(async () => root.unmount()));

it("reports a missing link, disables playback, and retries", async () => {
  post.mockRejectedValueOnce(new Error("no")).mockRejectedValueOnce(new Error("no")).mockResolvedValueOnce({ url: "/media?t=1" });
  await show();
  const retry = async () => {
    await act(async () => alert()?.querySelector("button")?.click());
    await settle();
  };
  expect(alert()?.textContent).toContain("unreachable");
  expect(button("play")?.disabled).toBe(true);
  await retry();
  expect(alert()?.textContent).toContain("unreachable");
  await retry();
  expect(alert()).toBeNull();
  expect(button("play")?.disabled).toBe(false);
  expect(source()).toBe("/media?t=1");
});

it("requests one new link when playback fails", async () => {
  post.mockImplementation(() => Promise.resolve({ url: `/media?t=${post.mock.calls.length}` }));
  await show();
  await act(async () => document.querySelector("audio")?.dispatchEvent(new Event("error")));
  await settle();
  expect(source()).toBe("/media?t=2");
  expect(alert()).toBeNull();
  await act(async () => document.querySelector("audio")?.dispatchEvent(new Event("error")));
  await settle();
  expect(post).toHaveBeenCalledTimes(2);
  expect(alert()?.textContent).toContain("unreachable");
});

it("uses a new link even if it equals the old one", async () => {
  post.mockResolvedValue({ url: "/media?t=1" });
  await show();
  const load = vi.spyOn(player.getState(), "load");
  await act(async () => document.querySelector("audio")?.dispatchEvent(new Event("error")));
  await settle();
  expect(load).toHaveBeenCalledWith("/media?t=1");
  expect(alert()).toBeNull();
});
