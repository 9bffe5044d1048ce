/** Edits the limits and features for accounts without a plan. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { DemoPlan } from "@/api/managed-plans";
import { Button } from "@/components/button";
import { FormAlert } from "@/components/form-alert";
import { GuardedSheet } from "@/components/guarded-sheet";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { FeatureFields, LimitFields } from "./plan-fields";
import { useDemoEdit } from "./use-edit";

interface DemoSheetProps {
  demo: DemoPlan;
  onClose: () => void;
}

export function DemoSheet({ demo, onClose }: DemoSheetProps) {
  const { t } = useTranslation("admin-plans");
  const edit = useDemoEdit(demo, onClose);
  const { form, refused } = useInvalidFocus();
  const id = useId();
  return (
    <GuardedSheet
      title={t("demo.title")}
      unsaved={edit.unsaved && !edit.saved}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={edit.saving}>
            {t("editor.cancel")}
          </Button>
          <Button look="primary" type="submit" form={id} busy={edit.saving}>
            {t("demo.save")}
          </Button>
        </>
      }
    >
      <form
        id={id}
        ref={form}
        noValidate
        data-density="compact"
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          edit.save(refused);
        }}
      >
        <FormAlert text={edit.failure} />
        <p className="max-w-[60ch] text-[0.9375rem] text-ink-soft">{t("demo.at_once")}</p>
        <div className="grid gap-x-5 gap-y-5 sm:grid-cols-2">
          <LimitFields edit={edit} first />
        </div>
        <FeatureFields legend={t("demo.features")} edit={edit} />
      </form>
    </GuardedSheet>
  );
}
