import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createHistory, type History, type Place } from "./history";

/** A fake of the browser's history. As in a browser, going back and forward is asynchronous: it completes in `settle`. */
function fakeWindow(entries: { state: unknown; url: string }[] = [{ state: null, url: "/one?a=1#top" }]) {
  let at = entries.length - 1;
  let hear = () => {};
  let steps: number[] = [];
  const put = (state: unknown, url: string) => ({ state, url: url === "" ? (entries[at]?.url ?? "/") : url });
  const page = {
    history: {
      get state() {
        return entries[at]?.state ?? null;
      },
      pushState: (state: unknown, _: string, url: string) => {
        entries.splice(at + 1, entries.length, put(state, url));
        at += 1;
      },
      replaceState: (state: unknown, _: string, url = "") => {
        entries[at] = put(state, url);
      },
      go: (delta: number) => steps.push(delta),
    },
    get location() {
      return new URL(entries[at]?.url ?? "/", "http://localhost");
    },
    addEventListener: (_: string, listener: () => void) => {
      hear = listener;
    },
  };
  const settle = () => {
    while (steps.length > 0) {
      const [delta = 0] = steps;
      steps = steps.slice(1);
      at += delta;
      hear();
    }
  };
  return { page: page as unknown as Window, settle, url: () => entries[at]?.url, count: () => entries.length };
}

let browser: ReturnType<typeof fakeWindow>;
let history: History;
let places: Place[];
let keys: number;
const path = () => history.place().location.pathname;

beforeEach(() => {
  keys = 0;
  places = [];
  browser = fakeWindow();
  history = createHistory(browser.page, () => `key${++keys}`);
  history.listen((place) => places.push(place));
});
afterEach(() => vi.restoreAllMocks());

it("starts at the browser's current place", () => {
  expect(history.place()).toEqual({
    location: { pathname: "/one", search: "?a=1", hash: "#top", state: null, key: "default" },
    action: "POP",
    keepsScroll: false,
  });
});

it("navigates with state, and back to the same entry", () => {
  history.push("/two", { from: "one" }, { preventScrollReset: true });
  expect(history.place()).toMatchObject({ action: "PUSH", keepsScroll: true, location: { pathname: "/two", key: "key1" } });
  expect(history.place().location.state).toEqual({ from: "one" });
  history.replace({ search: "?b=2" });
  expect(browser.url()).toBe("/two?b=2");
  expect(history.place()).toMatchObject({ action: "REPLACE", keepsScroll: false, location: { state: null } });
  history.go(-1);
  browser.settle();
  expect(history.place()).toMatchObject({ action: "POP", location: { pathname: "/one", key: "default" } });
  expect(places.map(({ location }) => location.pathname)).toEqual(["/two", "/two", "/one"]);
});

it("recognises its entries after a reload", () => {
  history.push("/two", "kept");
  const reopened = createHistory(browser.page);
  expect(reopened.place().location).toMatchObject({ pathname: "/two", state: "kept", key: "key1" });
});

it("asks before navigating, and navigates when confirmed", () => {
  const blocker = vi.fn<(go: () => void) => void>();
  const free = history.block(blocker);
  history.push("/two");
  expect([path(), browser.count(), places.length]).toEqual(["/one", 1, 0]);
  blocker.mock.calls[0]?.[0]();
  expect(path()).toBe("/two");
  free();
  history.push("/three");
  expect([path(), blocker.mock.calls.length]).toEqual(["/three", 1]);
});

it("returns to the page that asks if the browser has already gone back, and goes back when confirmed", () => {
  history.push("/two");
  places = [];
  const blocker = vi.fn<(go: () => void) => void>();
  history.block(blocker);
  history.go(-1);
  browser.settle();
  expect([path(), browser.url(), places.length]).toEqual(["/two", "/two", 0]);
  expect(blocker).toHaveBeenCalledOnce();
  blocker.mock.calls[0]?.[0]();
  browser.settle();
  expect([path(), browser.url()]).toEqual(["/one", "/one?a=1#top"]);
  expect(blocker).toHaveBeenCalledOnce();
});

it("uses only the latest blocker", () => {
  const [first, second] = [vi.fn(), vi.fn()];
  const free = history.block(first);
  history.block(second);
  free();
  history.push("/two");
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
});

it("passes the target path to the blocker", () => {
  history.push("/two");
  const blocker = vi.fn<(go: () => void, pathname: string) => void>();
  history.block(blocker);
  history.push("/three?c=3");
  history.push({ search: "?b=2" });
  history.go(-1);
  browser.settle();
  expect(blocker.mock.calls.map(([, pathname]) => pathname)).toEqual(["/three", "/two", "/one"]);
});
