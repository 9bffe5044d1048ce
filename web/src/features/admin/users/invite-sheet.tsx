/** Creates an account, whose owner gets a link to set a password. */
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { useInvite } from "@/api/admin-accounts";
import { Button } from "@/components/button";
import { CONTROL, Field, TextInput } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { INITIAL_FOCUS, Sheet } from "@/components/sheet";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { useLocale } from "@/hooks/use-locale";
import { useMailResult } from "@/hooks/use-mail-result";
import { useViolationText } from "@/hooks/use-violation-text";
import { LOCALE_NAMES, LOCALES } from "@/lib/i18n";

export function InviteSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("admin");
  const errorText = useErrorText();
  const violationText = useViolationText();
  const mailNews = useMailResult();
  const invite = useInvite();
  const { form: element, refused } = useInvalidFocus();
  const [email, setEmail] = useState("");
  const [fullname, setFullname] = useState("");
  const [locale, setLocale] = useState(useLocale());
  const id = useId();
  const broken = invite.error instanceof ApiError ? invite.error.violations : [];
  const errorOf = (field: string) => {
    const violation = broken.find((rule) => rule.field === field);
    return violation && violationText(violation);
  };
  const send = () =>
    invite.mutate(
      { email, fullname, locale },
      {
        onSuccess: ({ mailed }) => {
          mailNews(mailed, { sent: t("invite.done"), kept: t("invite.kept"), unsent: t("invite.unsent") });
          onClose();
        },
        onError: () => refused(),
      },
    );
  return (
    <Sheet
      title={t("invite.title")}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={invite.isPending}>
            {t("cancel")}
          </Button>
          <Button look="primary" type="submit" form={id} busy={invite.isPending}>
            {t("invite.send")}
          </Button>
        </>
      }
    >
      <form
        id={id}
        ref={element}
        noValidate
        data-density="compact"
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <p className="text-sm text-ink-soft">{t("invite.text")}</p>
        <FormAlert text={invite.error && broken.length === 0 ? errorText(invite.error) : null} />
        <Field label={t("columns.email")} error={errorOf("email")}>
          {(wiring) => (
            <TextInput
              {...wiring}
              {...INITIAL_FOCUS}
              type="email"
              autoComplete="off"
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label={t("columns.name")} hint={t("invite.name_hint")} error={errorOf("fullname")}>
          {(wiring) => (
            <TextInput
              {...wiring}
              autoComplete="off"
              value={fullname}
              onChange={(event) => setFullname(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label={t("invite.locale")}>
          {(wiring) => (
            <select
              {...wiring}
              className={`${CONTROL} max-w-60`}
              value={locale}
              onChange={(event) => {
                const chosen = LOCALES.find((option) => option === event.currentTarget.value);
                if (chosen) setLocale(chosen);
              }}
            >
              {LOCALES.map((language) => (
                <option key={language} value={language} lang={language}>
                  {LOCALE_NAMES[language]}
                </option>
              ))}
            </select>
          )}
        </Field>
      </form>
    </Sheet>
  );
}
