/** 'Tell us about you': the last step of a sign-up, and later the page to change the profile. */
import { useTranslation } from "react-i18next";
import { useUser } from "@/api";
import { AvatarField } from "@/components/avatar-editor";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { CONTROL, Field, TextInput } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { usePageTitle } from "@/hooks/use-page-title";
import { useViolationText } from "@/hooks/use-violation-text";
import { usages } from "@/rules";
import { AuthLayout } from "./auth-layout";
import { LegalSentence } from "./legal";
import { useProfile } from "./use-profile";

export function ProfilePage() {
  const { t } = useTranslation(["auth", "rules"]);
  usePageTitle(t("profile.title"));
  const user = useUser();
  const violationText = useViolationText();
  const { element, form, edit, asksForTerms, picture, setPicture, errors, failure, busy, submit } = useProfile(user);
  if (!user) return null;

  return (
    <AuthLayout title={t("profile.title")} lead={t("profile.lead")}>
      <form ref={element} onSubmit={submit} noValidate className="flex flex-col gap-5">
        <FormAlert text={failure} />
        <AvatarField
          user={user}
          picture={picture}
          onPicture={setPicture}
          onRemove={picture ? () => setPicture(null) : undefined}
        />
        <Field label={t("profile.fullname")} error={errors.fullname && violationText(errors.fullname)}>
          {(wiring) => (
            <TextInput
              {...wiring}
              name="fullname"
              autoComplete="name"
              value={form.fullname}
              onChange={(event) => edit("fullname", event.target.value)}
            />
          )}
        </Field>
        <Field label={t("profile.usage")} error={errors.usage && violationText(errors.usage)}>
          {(wiring) => (
            <select
              {...wiring}
              name="usage"
              className={CONTROL}
              value={form.usage}
              onChange={(event) => edit("usage", event.target.value)}
            >
              <option value="">{t("profile.usage_none")}</option>
              {usages().map((usage) => (
                <option key={usage} value={usage}>
                  {t(`rules:usage.${usage}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
        {asksForTerms && (
          <Checkbox
            checked={form.terms}
            onChange={(checked) => edit("terms", checked)}
            error={errors.terms && violationText(errors.terms)}
          >
            <LegalSentence text="signup.terms" />
          </Checkbox>
        )}
        <Button type="submit" look="primary" busy={busy} className="mt-1 w-full">
          {busy ? t("profile.submitting") : t("profile.submit")}
        </Button>
      </form>
    </AuthLayout>
  );
}
