/** A sheet that asks for confirmation before it closes with unsaved changes. */
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useUnsavedGuard } from "@/hooks/use-unsaved-guard";
import { Button } from "./button";
import { Sheet, type SheetProps } from "./sheet";

interface GuardedSheetProps extends SheetProps {
  /** Whether there are unsaved changes. */
  unsaved?: boolean;
  footer: ReactNode;
}

export function GuardedSheet({ unsaved = false, onClose, footer, ...rest }: GuardedSheetProps) {
  const guard = useUnsavedGuard(unsaved, onClose);
  return (
    <Sheet
      {...rest}
      onClose={guard.close}
      footer={guard.asking ? <Question onStay={guard.stay} onDiscard={guard.discard} /> : footer}
    />
  );
}

function Question({ onStay, onDiscard }: { onStay: () => void; onDiscard: () => void }) {
  const { t } = useTranslation();
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => stay.current?.focus(), []);
  return (
    <fieldset className="flex flex-1 flex-wrap items-center justify-end gap-x-3 gap-y-2">
      <legend className="float-left mr-auto text-[0.9375rem]">{t("unsaved.question")}</legend>
      <Button look="danger" onClick={onDiscard}>
        {t("unsaved.discard")}
      </Button>
      <Button ref={stay} onClick={onStay}>
        {t("unsaved.stay")}
      </Button>
    </fieldset>
  );
}
