/** Terms and privacy: short, honest, and readable before one agrees to them. */
import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import { Trans, useTranslation } from "react-i18next";
import { cx } from "@/lib/class-names";

type Document = "terms" | "privacy";

interface LegalLinkProps {
  which: Document;
  className?: string;
  children?: ReactNode;
}

/** A word that opens the document it names. */
export function LegalLink({ which, className, children }: LegalLinkProps) {
  const { t } = useTranslation(["auth", "common"]);
  return (
    <Dialog.Root>
      <Dialog.Trigger className={cx("underline underline-offset-4 hover:text-ink", className)}>{children}</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-x-4 top-1/2 z-50 mx-auto flex max-h-[calc(100dvh-2rem)] max-w-xl -translate-y-1/2 animate-fade flex-col rounded-lg border border-rule-strong bg-paper-raised shadow-sheet outline-none"
        >
          <div className="flex items-center justify-between gap-4 border-b border-rule py-3 pr-3 pl-6">
            <Dialog.Title className="headline text-2xl">{t(`legal.${which}.title`)}</Dialog.Title>
            <Dialog.Close
              aria-label={t("common:actions.close")}
              className="inline-flex size-(--control) shrink-0 items-center justify-center rounded text-ink-soft hover:bg-paper-sunk hover:text-ink"
            >
              <X aria-hidden="true" className="size-5" />
            </Dialog.Close>
          </div>
          {/* Reached by the keyboard, so that it can be scrolled by it. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls */}
          <div tabIndex={0} className="flex flex-col gap-3 overflow-y-auto px-6 py-5 text-ink-soft">
            {t(`legal.${which}.lines`, { returnObjects: true }).map((line) => (
              <p key={line}>{line}</p>
            ))}
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** A sentence in which both documents are named. */
export function LegalSentence({ text }: { text: "signup.terms" | "google.agree" }) {
  const { t } = useTranslation("auth");
  return (
    <Trans
      t={t}
      i18nKey={text}
      components={{
        terms: <LegalLink which="terms" className="text-accent" />,
        privacy: <LegalLink which="privacy" className="text-accent" />,
      }}
    />
  );
}
