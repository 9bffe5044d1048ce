/**
 * Fetches an island's code when somebody first turns to it, and not before: a page that is only read costs no more than this.
 * Until then everything works as without scripts, but for what the island is to do better: that waits for it a little.
 */
import type { Island } from "./contract";

const WAKING = ["pointerover", "pointerdown", "touchstart", "focusin", "click", "submit", "play"] as const;
/** How long a click or a form waits for its island, in ms; then it does what it does without one. */
const PATIENCE_MS = 6_000;

/** Gives the way to stop it. */
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
      // Given up meanwhile: the browser is on its way to another page.
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
      setTimeout(() => states.get(element) === "loading" && settle(element, "failed"), PATIENCE_MS);
    }
    if (state === undefined) void load(island, element);
  }

  const off = new AbortController();
  for (const type of WAKING) {
    // Captured: neither a playing recording's event bubbles, nor a waiting one's is to reach anybody else.
    const passive = type === "touchstart";
    document.addEventListener(type, wake, { capture: true, passive, signal: off.signal });
  }
  return () => off.abort();
}

/** The island that is turned to; a menu's button stands outside of it. */
function islandOf(target: EventTarget | null): HTMLElement | null {
  if (!(target instanceof Element)) return null;
  const found = target.closest<HTMLElement>("[data-island], [popovertarget]");
  if (!found || found.dataset.island !== undefined) return found;
  return document.getElementById(found.getAttribute("popovertarget") ?? "");
}

/** The same once more, where the event is one that waits. */
function actOf(event: Event, holds: string | undefined): (() => void) | null {
  if (event.type === "submit") {
    const { submitter, target } = event as SubmitEvent;
    return () => (target as HTMLFormElement).requestSubmit(submitter);
  }
  if (event.type !== "click" || holds === undefined) return null;
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event as MouseEvent;
  // With these one asks the browser for another tab, or to save what is linked.
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return null;
  const target = (event.target as Element).closest<HTMLElement>(holds);
  return target && (() => target.click());
}
