/** The contact form. With consent, an unfinished message is stored on this device. */
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { sendContact } from "@/api/site";
import { validateContact } from "@/rules";
import { readConsent } from "./consent";
import type { Mount } from "./contract";
import { draw } from "./draw";
import { storeDraft } from "./form-input";
import { type FormParts, formParts } from "./form-parts";
import { SiteForm } from "./site-form";

const NAMES = ["first_name", "last_name", "email", "message"] as const;
/** Delay after the last key, in ms. */
const DRAFT_PAUSE_MS = 300;

function ContactForm({ parts }: { parts: FormParts<(typeof NAMES)[number]> }) {
  const { t } = useTranslation("site-islands");
  const keepSoon = useDraft(parts.form);
  return (
    <SiteForm
      parts={parts}
      validate={validateContact}
      send={(values, extras) => sendContact({ ...values, ...extras })}
      sent={t("contact.sent")}
      failed={t("contact.failed")}
      onEdit={keepSoon}
    />
  );
}

/** Stores the form's content soon after it is called, and at the latest when the page is closed. */
function useDraft(form: HTMLFormElement): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const keep = () => {
      clearTimeout(timer.current);
      // Read now, because consent may have changed since the page was opened.
      if (readConsent().preferences) storeDraft(form);
    };
    keep();
    addEventListener("pagehide", keep);
    return () => {
      clearTimeout(timer.current);
      removeEventListener("pagehide", keep);
    };
  }, [form]);
  return () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => readConsent().preferences && storeDraft(form), DRAFT_PAUSE_MS);
  };
}

export const mount: Mount = (element) => draw(<ContactForm parts={formParts(element, NAMES)} />, document.createElement("div"));
