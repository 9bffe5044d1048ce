/** The elements of a server-rendered form, as described in contract.ts. */

interface FieldParts<Name extends string> {
  name: Name;
  control: HTMLInputElement | HTMLTextAreaElement;
  /** The element for its message. */
  message: HTMLElement;
  /** Ids of its other descriptions. */
  described: string;
}

export interface FormParts<Name extends string = string> {
  form: HTMLFormElement;
  fields: readonly FieldParts<Name>[];
  button: HTMLButtonElement | null;
  status: HTMLElement;
  /** The server's messages for the form; `erase` removes them from the page, for a caller that renders them itself. */
  written: { errors: Record<string, string>; status: { state: "sent" | "failed"; text: string } | null; erase: () => void };
  values: () => Record<Name, string>;
  /** The content of the honeypot field. */
  website: () => string;
  clear: () => void;
}

/** Throws if a field is missing: then the form works as without scripts. */
export function formParts<Name extends string>(form: HTMLElement, names: readonly Name[]): FormParts<Name> {
  if (!(form instanceof HTMLFormElement)) throw new Error(`the island ${form.dataset.island} is no form`);
  const fields = names.map((name) => fieldParts(form, name));
  const status = form.querySelector<HTMLElement>("[role=status]");
  if (!status) throw new Error(`the form ${form.dataset.island} has no place for its status`);
  const texts = fields.map(({ name, message }) => [name, message.textContent.trim()] as const);
  const state = status.dataset.state === "sent" ? "sent" : "failed";
  const text = status.textContent.trim();
  const nodes = [...fields.map(({ message }) => message), status].flatMap((place) => [...place.childNodes]);
  return {
    form,
    fields,
    button: form.querySelector("button[type=submit]"),
    status,
    written: {
      errors: Object.fromEntries(texts.filter(([, error]) => error !== "")),
      status: text ? { state, text } : null,
      erase: () => {
        for (const node of nodes) node.remove();
      },
    },
    values: () => Object.fromEntries(fields.map(({ name, control }) => [name, control.value])) as Record<Name, string>,
    website: () => form.querySelector<HTMLInputElement>("[name=website]")?.value ?? "",
    clear: () => {
      for (const { control } of fields) control.value = "";
    },
  };
}

function fieldParts<Name extends string>(form: HTMLFormElement, name: Name): FieldParts<Name> {
  const control = form.elements.namedItem(name);
  if (!(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)) {
    throw new Error(`the form ${form.dataset.island} has no field ${name}`);
  }
  const id = `${control.id}-error`;
  const message = document.getElementById(id);
  if (!message) throw new Error(`there is no element ${id}`);
  const described = (control.getAttribute("aria-describedby") ?? "").split(" ").filter((part) => part !== id);
  return { name, control, message, described: described.join(" ") };
}
