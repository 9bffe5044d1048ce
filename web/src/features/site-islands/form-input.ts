/** Form input of a page, restored on the next one. */

/** By the fields' names. */
type Typed = Record<string, string>;

/** An unfinished contact message; stored with consent to preferences only. */
const DRAFT_KEY = "slovo.contact-draft";
/** Carries input from the page in one language to the same page in the other. */
const CARRIED_KEY = "slovo.site-typed";

type TextControl = HTMLInputElement | HTMLTextAreaElement;

/** The visible input fields. */
const controls = (form: Element) =>
  form.querySelectorAll<TextControl>("input:is([type=text], [type=email], :not([type])):not([name=website]), textarea");

/** Null if nothing was typed. */
function typedIn(form: Element): Typed | null {
  const typed = Object.fromEntries([...controls(form)].flatMap(({ name, value }) => (value.trim() ? [[name, value]] : [])));
  return Object.keys(typed).length > 0 ? typed : null;
}

/** Fills empty fields only, because the values of the server or the browser are newer. */
function fill(form: Element | null, typed: Typed | undefined) {
  if (!form || !typed) return;
  for (const control of controls(form)) control.value ||= typed[control.name] ?? "";
}

export function storeDraft(form: Element): void {
  const typed = typedIn(form);
  if (typed) put(localStorageOrNull(), DRAFT_KEY, typed);
  else forgetDraft();
}

export function forgetDraft(): void {
  localStorageOrNull()?.removeItem(DRAFT_KEY);
}

/** Before this page is reloaded in another language. */
export function storeInputForReload(): void {
  const forms = [...document.querySelectorAll<HTMLElement>("form[data-island]")];
  put(sessionStorageOrNull(), CARRIED_KEY, Object.fromEntries(forms.map((form) => [form.dataset.island, typedIn(form) ?? {}])));
}

/** On a new page. A stored message without consent is deleted. */
export function restoreInput(mayKeep: boolean): void {
  const carried = get<Record<string, Typed>>(sessionStorageOrNull(), CARRIED_KEY);
  sessionStorageOrNull()?.removeItem(CARRIED_KEY);
  for (const [island, typed] of Object.entries(carried ?? {}))
    fill(document.querySelector(`form[data-island="${island}"]`), typed);
  if (mayKeep)
    fill(document.querySelector("form[data-island=contact]"), get<Typed>(localStorageOrNull(), DRAFT_KEY) ?? undefined);
  else forgetDraft();
}

function put(storage: Storage | null, key: string, value: unknown) {
  try {
    storage?.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full: it is not stored.
  }
}

function get<Value extends object>(storage: Storage | null, key: string): Value | null {
  try {
    const value: unknown = JSON.parse(storage?.getItem(key) ?? "null");
    return typeof value === "object" ? (value as Value | null) : null;
  } catch {
    return null;
  }
}

/** Accessing forbidden storage throws. */
const localStorageOrNull = () => allowed(() => localStorage);
const sessionStorageOrNull = () => allowed(() => sessionStorage);

function allowed(storage: () => Storage): Storage | null {
  try {
    return storage();
  } catch {
    return null;
  }
}
