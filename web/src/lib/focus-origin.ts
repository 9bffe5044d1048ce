/**
 * Records where the focus was before an overlay opened, and restores it. The element may be gone by then (a menu item, a
 * field that closes on blur); then the nearest focusable ancestor that still exists gets the focus.
 */

/** The candidates for the focus, from the innermost outwards. */
export type FocusOrigin = readonly HTMLElement[];

/** The origin of each sheet: if another sheet replaces it, the focus returns to the first sheet's opener. */
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

/** Records the origin of a sheet, for sheets opened from it. */
export function recordOrigin(sheet: Element, origin: FocusOrigin): void {
  origins.set(sheet, origin);
}

/** Restores the focus, unless another element has it. */
export function restoreFocus(origin: FocusOrigin): void {
  const { activeElement } = document;
  if (activeElement && activeElement !== document.body) return;
  for (const place of origin) {
    if (!place.isConnected) continue;
    place.focus({ preventScroll: true });
    if (document.activeElement === place) return;
  }
}

/** For a menu item, which is gone when the sheet closes: the button that opened the menu. */
export function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  const opener = menu ? document.getElementById(menu) : focused;
  return opener instanceof HTMLElement ? opener : null;
}
