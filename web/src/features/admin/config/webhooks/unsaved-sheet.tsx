/**
 * A sheet that asks for confirmation before unsaved changes are lost: on Escape, on the Back button, or when the tab is
 * closed.
 */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { Sheet, type SheetProps } from "@/components/sheet";
import { useLeaveBlocker } from "@/lib/history";

export function UnsavedSheet({ unsaved, onClose, footer, ...rest }: SheetProps & { unsaved: boolean }) {
  const [closing, setClosing] = useState(false);
  const blocker = useLeaveBlocker(unsaved);
  const leaving = blocker.blocked;
  const asking = unsaved && (closing || leaving);

  useEffect(() => {
    if (!unsaved) return;
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", onLeave);
    return () => window.removeEventListener("beforeunload", onLeave);
  }, [unsaved]);

  const stay = () => {
    setClosing(false);
    if (leaving) blocker.reset();
  };
  const close = () => {
    if (!unsaved) onClose();
    else if (asking) stay();
    else setClosing(true);
  };
  const discard = () => (leaving ? blocker.proceed() : onClose());

  return <Sheet {...rest} onClose={close} footer={asking ? <Question onStay={stay} onDiscard={discard} /> : footer} />;
}

function Question({ onStay, onDiscard }: { onStay: () => void; onDiscard: () => void }) {
  const { t } = useTranslation("admin-webhooks");
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
