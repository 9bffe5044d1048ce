/**
 * Loads an island's code on the first interaction with it: a page that is only read loads nothing more than this. Until
 * then everything works as without scripts, except for what the island improves: that waits for it for a short time.
 */
import type { Island } from "./contract";

const WAKING = ["pointerover", "pointerdown", "touchstart", "focusin", "click", "submit", "play"] as const;
/** How long a click or a form waits for its island, in ms; then it works as without scripts. */
const TIMEOUT_MS = 6_000;

/** Returns a function that stops it. */
export function startLoader(islands: Readonly<Record<string, Island>>): () => void {
  const states = new WeakMap<HTMLElement, "loading" | "mounted" | "failed">();
  /** The action to run once the island is loaded, or has failed to load. Only the last one runs. */
  const waiting = new WeakMap<HTMLElement, () => void>();

  function settle(element: HTMLElement, state: "mounted" | "failed") {
    states.set(element, state);
    const act = waiting.get(element);
    waiting.delete(element);
    act?.();
  }

  async function load(island: Island, element: HTMLElement) {
    states.set(element, "loading");
    try {
      const { mount } = await island.load();
      // Cancelled meanwhile: the browser is navigating to another page.
      if (states.get(element) !== "loading") return;
      await mount(element);
      settle(element, "mounted");
    } catch (error) {
      console.warn(error);
      settle(element, "failed");
    }
  }

  function wake(event: Event) {
    const element = islandOf(event.target);
    const island = islands[element?.dataset.island ?? ""];
    if (!element || !island) return;
    const state = states.get(element);
    if (state === "mounted" || state === "failed") return;
    const act = actOf(event, island.holds);
    if (act) {
      event.preventDefault();
      event.stopPropagation();
      waiting.set(element, act);
      setTimeout(() => states.get(element) === "loading" && settle(element, "failed"), TIMEOUT_MS);
    }
    if (state === undefined) void load(island, element);
  }

  const off = new AbortController();
  for (const type of WAKING) {
    // In the capture phase, because media events do not bubble, and because a waiting event must not reach other
    // listeners.
    const passive = type === "touchstart";
    document.addEventListener(type, wake, { capture: true, passive, signal: off.signal });
  }
  return () => off.abort();
}

/** The island of the event's target; a menu's button is outside of its island. */
function islandOf(target: EventTarget | null): HTMLElement | null {
  if (!(target instanceof Element)) return null;
  const found = target.closest<HTMLElement>("[data-island], [popovertarget]");
  if (!found || found.dataset.island !== undefined) return found;
  return document.getElementById(found.getAttribute("popovertarget") ?? "");
}

/** Repeats the event, if it is one that waits. */
function actOf(event: Event, holds: string | undefined): (() => void) | null {
  if (event.type === "submit") {
    const { submitter, target } = event as SubmitEvent;
    return () => (target as HTMLFormElement).requestSubmit(submitter);
  }
  if (event.type !== "click" || holds === undefined) return null;
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event as MouseEvent;
  // With these keys the browser opens another tab or saves the link.
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return null;
  const target = (event.target as Element).closest<HTMLElement>(holds);
  return target && (() => target.click());
}
