/** The password, the address, and the account's sessions. */
import { useTranslation } from "react-i18next";
import type { User } from "@/api/account";
import { EmailSection } from "./email-section";
import { PasswordByMail } from "./password-by-mail";
import { PasswordForm } from "./password-form";
import { Section } from "./section";
import { Sessions } from "./sessions";

export function SecurityTab({ user }: { user: User }) {
  const { t } = useTranslation("settings");
  return (
    <>
      <Section
        title={t(user.has_password ? "password.change" : "password.set")}
        text={t(user.has_password ? "password.change_text" : "password.set_text")}
      >
        {user.has_password ? <PasswordForm user={user} /> : <PasswordByMail user={user} />}
      </Section>
      <EmailSection user={user} />
      <Sessions />
    </>
  );
}
