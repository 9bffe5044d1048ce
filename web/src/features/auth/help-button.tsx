/** Help for users who cannot sign in. */
import { CircleQuestionMark } from "lucide-react";
import { Popover } from "radix-ui";
import { useTranslation } from "react-i18next";

export function HelpButton() {
  const { t } = useTranslation("auth");
  return (
    <Popover.Root>
      <Popover.Trigger
        aria-label={t("help.label")}
        className="inline-flex size-(--control) items-center justify-center rounded text-ink-soft hover:bg-paper-sunk hover:text-ink"
      >
        <CircleQuestionMark aria-hidden="true" className="size-[1.125rem]" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          className="z-50 w-80 max-w-[92vw] animate-rise rounded-lg border border-rule-strong bg-paper-raised p-5 shadow-sheet"
        >
          <h2 className="font-strong">{t("help.title")}</h2>
          <p className="mt-2 text-[0.9375rem] text-ink-soft">{t("help.text")}</p>
          <p className="mt-2 text-[0.9375rem] text-ink-soft">{t("help.first")}</p>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
