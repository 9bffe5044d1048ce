/**
 * Where the focus was before something was laid over the page, and the way back there. What had it may be gone by then (a
 * menu's entry, a field that closes when it is left): then the nearest place around it that is still there takes it.
 */

/** From the nearest one outwards. */
export type FocusOrigin = readonly HTMLElement[];

/** What opened each sheet: one may take another's place, and the first one's opener then takes the focus back. */
const origins = new WeakMap<Element, FocusOrigin>();

export function originOf(focused: Element | null): FocusOrigin {
  if (!focused || focused === document.body) return [];
  const places: HTMLElement[] = [];
  for (let at: Element | null = openerOf(focused); at; at = at.parentElement) {
    if (at instanceof HTMLElement && (at.tabIndex >= 0 || at.tagName === "MAIN")) places.push(at);
    const before = origins.get(at);
    if (before) return [...places, ...before];
  }
  return places;
}

/** Notes what a sheet was opened from, for those that follow it. */
export function recordOrigin(sheet: Element, origin: FocusOrigin): void {
  origins.set(sheet, origin);
}

/** Gives the focus back, unless something has taken it meanwhile. */
export function restoreFocus(origin: FocusOrigin): void {
  const { activeElement } = document;
  if (activeElement && activeElement !== document.body) return;
  for (const place of origin) {
    if (!place.isConnected) continue;
    place.focus({ preventScroll: true });
    if (document.activeElement === place) return;
  }
}

/** A menu's entry is gone when the sheet closes; the button that opened the menu is still there. */
export function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  const opener = menu ? document.getElementById(menu) : focused;
  return opener instanceof HTMLElement ? opener : null;
}
