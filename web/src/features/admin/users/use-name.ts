/** The full name of an account while it is edited. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import type { ManagedUser } from "@/api/admin";
import { useRenameUser } from "@/api/admin-accounts";
import { useErrorText } from "@/hooks/use-error-text";
import { useViolationText } from "@/hooks/use-violation-text";
import { toast } from "@/lib/toast";

export function useName(user: ManagedUser) {
  const { t } = useTranslation("admin");
  const errorText = useErrorText();
  const violationText = useViolationText();
  const rename = useRenameUser();
  const present = user.fullname ?? "";
  const [value, setValue] = useState(present);
  const [failure, setFailure] = useState<string>();
  const unsaved = value !== present;
  return {
    value,
    choose: (next: string) => {
      setValue(next);
      setFailure(undefined);
    },
    unsaved,
    failure,
    saving: rename.isPending,
    /** Returns true if the name was saved or is unchanged. */
    save: async () => {
      if (!unsaved) return true;
      try {
        await rename.mutateAsync({ id: user.id, fullname: value });
        toast.success(t("renamed"));
        return true;
      } catch (error) {
        const [broken] = error instanceof ApiError ? error.violations : [];
        setFailure(broken ? violationText(broken) : errorText(error));
        return false;
      }
    },
  };
}
