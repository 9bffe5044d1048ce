/** An account without a password gets its first one with a mailed link: an open session is not sufficient proof. */
import { useMutation } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { forgotPassword } from "@/api";
import type { User } from "@/api/account";
import { Button } from "@/components/button";
import { FormAlert } from "@/components/form-alert";
import { OutboxNote } from "@/components/outbox-note";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";

export function PasswordByMail({ user }: { user: User }) {
  const { t } = useTranslation("settings");
  const errorText = useErrorText();
  const locale = useLocale();
  const { mutate, isPending, isSuccess, error } = useMutation({ mutationFn: () => forgotPassword(user.email, locale) });
  return (
    <div className="flex max-w-md flex-col items-start gap-4">
      <FormAlert text={error && `${t("password.link_failed")}. ${errorText(error)}`} />
      <p className="text-[0.9375rem] wrap-anywhere">{t("password.by_mail", { email: user.email })}</p>
      <Button busy={isPending} onClick={() => mutate()}>
        {t("password.send_link")}
      </Button>
      <p role="status" className="flex items-start gap-1.5 text-sm text-good empty:hidden">
        {isSuccess && (
          <>
            <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            {t("password.link_sent")}
          </>
        )}
      </p>
      {isSuccess && <OutboxNote />}
    </div>
  );
}
