/** Deletes the account: shows what is lost, and requires proof of ownership. */
import { useQuery } from "@tanstack/react-query";
import { Dialog } from "radix-ui";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { User } from "@/api/account";
import { jobsSummaryQuery } from "@/api/jobs";
import { Button } from "@/components/button";
import { Field, TextInput } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { PasswordInput } from "@/components/password-input";
import { Section } from "./section";
import { useAccountDeletion } from "./use-account-deletion";

export function DeleteAccount({ user }: { user: User }) {
  const { t } = useTranslation("settings");
  const [open, setOpen] = useState(false);
  return (
    <Section title={t("delete.title")} text={t("delete.text")} danger>
      <Dialog.Root open={open} onOpenChange={setOpen}>
        <Dialog.Trigger asChild>
          <Button look="danger">{t("delete.open")}</Button>
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
          <Dialog.Content className="fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-lg -translate-1/2 animate-fade overflow-y-auto rounded-lg border border-rule-strong bg-paper-raised p-5 shadow-sheet outline-none sm:p-7">
            <Dialog.Title className="headline text-2xl">{t("delete.question")}</Dialog.Title>
            <Losses />
            <DeletionForm user={user} onCancel={() => setOpen(false)} />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
    </Section>
  );
}

function Losses() {
  const { t } = useTranslation("settings");
  const summary = useQuery(jobsSummaryQuery());
  const total = summary.data?.total;
  return (
    <Dialog.Description asChild>
      <div className="mt-3 text-[0.9375rem]">
        <p>{t("delete.lost")}</p>
        <ul className="mt-2 list-disc pl-5">
          <li>{total ? t("delete.lost_jobs", { count: total }) : t("delete.lost_all_jobs")}</li>
          <li>{t("delete.lost_profile")}</li>
          <li>{t("delete.lost_sessions")}</li>
        </ul>
        <p className="mt-3 font-strong">{t("delete.forever")}</p>
      </div>
    </Dialog.Description>
  );
}

function DeletionForm({ user, onCancel }: { user: User; onCancel: () => void }) {
  const { t } = useTranslation(["settings", "common"]);
  const [proof, setProof] = useState("");
  const { element, wrong, failure, busy, clear, submit } = useAccountDeletion(user, proof);
  const edit = (value: string) => {
    setProof(value);
    clear();
  };
  return (
    <form ref={element} onSubmit={submit} noValidate className="mt-5 flex flex-col gap-5">
      <FormAlert text={failure} />
      {user.has_password ? (
        <Field label={t("delete.password")} error={wrong}>
          {(wiring) => (
            <PasswordInput
              {...wiring}
              autoComplete="current-password"
              value={proof}
              onChange={(event) => edit(event.target.value)}
            />
          )}
        </Field>
      ) : (
        <Field label={t("delete.email", { email: user.email })} error={wrong}>
          {(wiring) => (
            <TextInput {...wiring} type="email" autoComplete="off" value={proof} onChange={(event) => edit(event.target.value)} />
          )}
        </Field>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="quiet" onClick={onCancel} disabled={busy}>
          {t("common:actions.cancel")}
        </Button>
        <Button type="submit" look="danger" busy={busy}>
          {t("delete.confirm")}
        </Button>
      </div>
    </form>
  );
}
