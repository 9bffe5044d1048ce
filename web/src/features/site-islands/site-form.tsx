/**
 * Scripts for a server-rendered form: the shared rules, messages at the fields, and sending without leaving the page.
 * The elements stay the server's; React renders into those for messages.
 */
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api/problem";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { isLocale, type Locale } from "@/lib/locale-cookie";
import type { FormParts } from "./form-parts";

/** Sent in addition to the fields. */
export interface Extras {
  locale: Locale;
  /** The content of the honeypot field. */
  website: string;
}

interface SiteFormProps<Name extends string> {
  parts: FormParts<Name>;
  validate: (values: Record<Name, string>) => readonly BrokenRule[];
  send: (values: Record<Name, string>, extras: Extras) => Promise<void>;
  sent: string;
  failed: string;
  /** Called when something was typed, or the form was reset. */
  onEdit?: () => void;
}

interface Status {
  state: "busy" | "sent" | "failed";
  text: string;
}

export function SiteForm<Name extends string>({ parts, validate, send, sent, failed, onEdit }: SiteFormProps<Name>) {
  const { t } = useTranslation("site-islands");
  const violationText = useViolationText();
  const failureText = useFailureText(failed);
  const { form: invalidIn, refused } = useInvalidFocus();
  // Messages of the server, from sending without scripts, stay until something changes.
  const [errors, setErrors] = useState(parts.written.errors);
  const [status, setStatus] = useState<Status | null>(parts.written.status);
  const busy = status?.state === "busy";

  const show = (violations: readonly BrokenRule[]): boolean => {
    const broken: Record<string, string> = {};
    for (const violation of violations) {
      if (parts.fields.some(({ name }) => name === violation.field)) broken[violation.field] ??= violationText(violation);
    }
    setErrors(broken);
    if (Object.keys(broken).length === 0) return false;
    setStatus(null);
    refused();
    return true;
  };

  const submit = async () => {
    if (busy) return;
    const values = parts.values();
    if (show(validate(values))) return;
    setStatus({ state: "busy", text: t("sending") });
    try {
      await send(values, { locale: localeOf(parts.form), website: parts.website() });
      parts.clear();
      setStatus({ state: "sent", text: sent });
      onEdit?.();
    } catch (error) {
      if (!(error instanceof ApiError && show(error.violations))) setStatus({ state: "failed", text: failureText(error) });
    }
  };

  const edit = (name: string) => {
    setErrors(({ [name]: _corrected, ...others }) => others);
    if (!busy) setStatus(null);
    onEdit?.();
  };

  useWiring(parts, { submit, edit });
  useMarks(parts, errors, status);
  useLayoutEffect(() => {
    // Its messages are now rendered here.
    parts.written.erase();
    invalidIn.current = parts.form;
  }, [invalidIn, parts]);

  return (
    <>
      {parts.fields.map(({ name, message }) => into(message, errors[name]))}
      {into(parts.status, status?.text)}
    </>
  );
}

const into = (element: Element, text: ReactNode) => createPortal(text, element);

const localeOf = (form: HTMLFormElement): Locale => {
  const locale = new FormData(form).get("locale");
  return isLocale(locale) ? locale : "uk";
};

/** Codes whose own text is more helpful than "try again". */
const NAMED = new Set(["rate_limited", "contact_off", "newsletter_off"]);

/** The form's general text, unless the error's own text is more helpful. */
function useFailureText(failed: string): (error: unknown) => string {
  const errorText = useErrorText();
  return (error) => {
    const named = error instanceof ApiError && (NAMED.has(error.code) || (error.status === 0 && !navigator.onLine));
    if (!named) console.warn(error);
    return named ? errorText(error) : failed;
  };
}

interface Handlers {
  submit: () => Promise<void>;
  edit: (name: string) => void;
}

/** Listens to the server's elements, with the handlers of the latest render. */
function useWiring({ form, fields }: FormParts, handlers: Handlers) {
  const newest = useRef(handlers);
  useLayoutEffect(() => {
    newest.current = handlers;
  });
  useLayoutEffect(() => {
    const off = new AbortController();
    const { noValidate } = form;
    // The same rules in the page's language, with the same texts as the server's.
    form.noValidate = true;
    const options = { signal: off.signal };
    form.addEventListener(
      "submit",
      (event) => {
        event.preventDefault();
        void newest.current.submit();
      },
      options,
    );
    for (const { name, control } of fields) control.addEventListener("input", () => newest.current.edit(name), options);
    return () => {
      off.abort();
      form.noValidate = noValidate;
    };
  }, [form, fields]);
}

/** Tells screen readers which field is invalid, where its message is, and that the form is being sent. */
function useMarks(
  { form, fields, button, status: place }: FormParts,
  errors: Readonly<Record<string, string>>,
  status: Status | null,
) {
  useLayoutEffect(() => {
    for (const { name, control, message, described } of fields) {
      const wrong = errors[name] !== undefined;
      setOrRemove(control, "aria-invalid", wrong ? "true" : null);
      setOrRemove(control, "aria-describedby", [described, wrong && message.id].filter(Boolean).join(" ") || null);
    }
  }, [fields, errors]);
  const state = status?.state ?? null;
  useEffect(() => {
    const busy = state === "busy" ? "true" : null;
    setOrRemove(place, "data-state", state);
    for (const attribute of ["aria-busy", "aria-disabled"]) if (button) setOrRemove(button, attribute, busy);
    setOrRemove(form, "aria-busy", busy);
  }, [form, button, place, state]);
}

function setOrRemove(element: Element, attribute: string, value: string | null) {
  if (value === null) element.removeAttribute(attribute);
  else element.setAttribute(attribute, value);
}
