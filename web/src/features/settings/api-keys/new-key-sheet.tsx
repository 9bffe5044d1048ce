/** Creates a key, and shows its secret once: it is in the state of this dialog only, and gone when that closes. */
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { User } from "@/api/account";
import { type CreatedApiKey, useCreateApiKey } from "@/api/api-keys";
import { Button } from "@/components/button";
import { Sheet } from "@/components/sheet";
import { CreatedKey } from "./created-key";
import { NewKeyForm } from "./new-key-form";

export function NewKeySheet({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation(["api-keys", "common"]);
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const create = useCreateApiKey(setCreated);
  const formId = useId();
  if (created) {
    return (
      <Sheet
        title={t("created.title")}
        subject={created.key.name}
        // A stray click would lose the secret.
        staysOpen
        onClose={onClose}
        footer={
          <Button look="primary" onClick={onClose}>
            {t("created.done")}
          </Button>
        }
      >
        <CreatedKey created={created} />
      </Sheet>
    );
  }
  return (
    <Sheet
      title={t("new.title")}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("common:actions.cancel")}</Button>
          <Button type="submit" form={formId} look="primary" busy={create.isPending}>
            {t("new.submit")}
          </Button>
        </>
      }
    >
      <NewKeyForm id={formId} user={user} create={create} />
    </Sheet>
  );
}
