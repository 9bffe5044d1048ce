/** Subscribes to the newsletter. The owner of the address confirms it by mail. */
import { useTranslation } from "react-i18next";
import { subscribe } from "@/api/site";
import { validateNewsletter } from "@/rules";
import type { Mount } from "./contract";
import { draw } from "./draw";
import { type FormParts, formParts } from "./form-parts";
import { SiteForm } from "./site-form";

const NAMES = ["email"] as const;

function NewsletterForm({ parts }: { parts: FormParts<(typeof NAMES)[number]> }) {
  const { t } = useTranslation("site-islands");
  return (
    <SiteForm
      parts={parts}
      validate={({ email }) => validateNewsletter(email)}
      send={(values, extras) => subscribe({ ...values, ...extras })}
      sent={t("newsletter.sent")}
      failed={t("newsletter.failed")}
    />
  );
}

export const mount: Mount = (element) =>
  draw(<NewsletterForm parts={formParts(element, NAMES)} />, document.createElement("div"));
