import { act, Component, type ReactNode, Suspense } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createPart, lazyPart, retryFailedParts, usePart } from "./part";

let root: Root;
let page: HTMLElement;

class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError = () => ({ failed: true });
  override render() {
    return this.state.failed ? "failed" : this.props.children;
  }
}

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  page = document.createElement("div");
  root = createRoot(page);
});
afterEach(async () => {
  await act(async () => root.unmount());
  retryFailedParts();
});

it("is loaded once, and again after a failure", async () => {
  const fetch = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error("no network")).mockResolvedValue("there");
  const part = createPart(fetch);
  await expect(part.load()).rejects.toThrow("no network");
  expect(part.get()).toBeNull();
  await expect(part.attempt()).rejects.toThrow("no network");
  expect(fetch).toHaveBeenCalledOnce();
  await expect(Promise.all([part.load(), part.load()])).resolves.toEqual(["there", "there"]);
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(part.get()).toBe("there");
});

it("updates all its users when it is loaded", async () => {
  const part = createPart(async () => "there");
  const Place = () => usePart(part) ?? "-";
  await act(async () =>
    root.render(
      <>
        <Place />
        <Place />
      </>,
    ),
  );
  expect(page.textContent).toBe("--");
  await act(part.load);
  expect(page.textContent).toBe("therethere");
});

it("suspends when it is first rendered, but not if it is already loaded", async () => {
  let arrive: (component: () => ReactNode) => void = () => {};
  const Lazy = lazyPart(() => new Promise<() => ReactNode>((resolve) => (arrive = resolve)));
  const render = vi.fn(() => "waiting");
  const Waiting = () => render();
  const show = (key: string) =>
    act(async () =>
      root.render(
        <Suspense key={key} fallback={<Waiting />}>
          <Lazy />
        </Suspense>,
      ),
    );
  await show("first");
  expect(page.textContent).toBe("waiting");
  await act(async () => arrive(() => "there"));
  expect(page.textContent).toBe("there");
  render.mockClear();
  await show("second");
  expect(page.textContent).toBe("there");
  expect(render).not.toHaveBeenCalled();
});

it("does not retry before the failure has been shown", async () => {
  const fetch = vi.fn<() => Promise<() => ReactNode>>().mockRejectedValueOnce(new Error("no network"));
  fetch.mockResolvedValue(() => "there");
  const Lazy = lazyPart(fetch);
  const show = (key: string) =>
    act(async () =>
      root.render(
        <Boundary key={key}>
          <Suspense>
            <Lazy />
          </Suspense>
        </Boundary>,
      ),
    );
  await show("first");
  expect([page.textContent, fetch.mock.calls.length]).toEqual(["failed", 1]);
  retryFailedParts();
  await show("second");
  expect([page.textContent, fetch.mock.calls.length]).toEqual(["there", 2]);
});
