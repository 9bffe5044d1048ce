/**
 * What the server's HTML and the islands agree on. Every part works without scripts; an island only adds to it, and leaves
 * the server's elements where they are, so that nothing moves, and nothing that was typed, chosen or focused is lost.
 *
 * The document: `<html lang="uk|en" data-site>`, with `<script src="/first-paint.js">` in the head, before the styles, and
 * the built `src/site.ts` as a module. `first-paint.js` sets `data-theme`, and `data-signed-in` where a session is stored.
 * An answer depends on the cookie `slovo.locale`, so it says `Vary: Cookie` and is not kept by caches that are shared.
 *
 * | name | element | what is in it |
 * | --- | --- | --- |
 * | `contact` | `<form class="form" method="post" action="/contact">` | see below |
 * | `newsletter` | `<form class="newsletter" method="post" action="/newsletter">` | see below; one field, `email` |
 * | `locale` | `<div class="locales">` | `<a href="?lang=en" lang="en" hreflang="en" aria-current="true">` for each language |
 * | `menu` | `<nav id="site-menu" popover>` | links, Dashboard among them, and a button that closes it (`popovertarget="site-menu" popovertargetaction="hide"`). It is opened by `<button popovertarget="site-menu">`, which has no `aria-expanded` of its own: browsers tell the state, and the island sets it |
 * | `theme` | `<button class="theme-button">` | a drawing; it is shown only with `data-theme` on the document |
 * | `cookies` | `<a href="/cookies#settings">` | its words |
 * | `cookies-form` | `<form method="post" action="/cookies">` | checkboxes `preferences` and `statistics`, one that is disabled and checked, a button; it is sent as without scripts, and shows what the dialog has saved |
 * | `demo` | `<figure data-duration="11">` (seconds) | `<audio controls preload="none">`, `<span class="demo-wave">` whose part before `--played` is drawn in full, `<button class="demo-play">`, `<input type="range" class="demo-place">` (seconds) and `<p class="demo-text">` of `<span data-start="0.32" data-end="0.64">`, ordered by time |
 *
 * The forms `contact` and `newsletter`:
 *
 * - No `novalidate`: without scripts the browser checks `required` and `type="email"`. The island takes that over.
 * - A control is named as the API names the field (`first_name`, `last_name`, `email`, `message`) and has an id. Its message
 *   is in `<p class="field-error" id="ID-error">`, empty or with what the server had against it (then the control has
 *   `aria-invalid="true"` and `aria-describedby`). A second newsletter form on a page has other ids.
 * - The trap: `<div class="trap" aria-hidden="true"><label>… <input name="website" tabindex="-1" autocomplete="off"></label></div>`.
 * - `<input type="hidden" name="locale" value="uk|en">`.
 * - One `<button type="submit">`. While it sends it has `aria-disabled="true"` and `aria-busy="true"`, and keeps its words.
 * - `<p class="form-status" role="status">`. The island gives it `data-state="busy|sent|failed"`; a server that has answered a
 *   form without scripts gives it `sent` or `failed`, too.
 *
 * What the islands themselves draw is styled by site-islands.css; of the site's own classes they use `button`,
 * `button-primary` and `sr-only`.
 */

/**
 * Starts the island in this element. It may be called before the event that loaded it has been dispatched completely.
 */
export type Mount = (element: HTMLElement) => void | Promise<void>;

export interface Island {
  load: () => Promise<{ mount: Mount }>;
  /** Clicks on these elements wait for the island; all others work at once, as without scripts. */
  holds?: string;
}

/** By `data-island`. Islands with React load it themselves; the others do without. */
export const ISLANDS: Readonly<Record<string, Island>> = {
  contact: { load: () => import("./contact-form") },
  newsletter: { load: () => import("./newsletter-form") },
  locale: { load: () => import("./locale-switcher"), holds: "a" },
  menu: { load: () => import("./mobile-menu") },
  theme: { load: () => import("./theme-switch"), holds: ".theme-button" },
  cookies: { load: () => import("./cookie-settings"), holds: "a" },
  demo: { load: () => import("./demo"), holds: "[data-start], .demo-play, .demo-wave" },
};
