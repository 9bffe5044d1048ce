/** Creates or edits a plan; the rules check it before it is sent. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { ManagedPlan, QueueSpeed } from "@/api/managed-plans";
import { Button } from "@/components/button";
import { CONTROL, Field, TextInput } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { GuardedSheet } from "@/components/guarded-sheet";
import { INITIAL_FOCUS } from "@/components/sheet";
import { Switch } from "@/components/switch";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { QUEUE_SPEEDS } from "@/rules/constants";
import { FeatureFields, LimitFields, NumberField, useFieldError } from "./plan-fields";
import { useEdit } from "./use-edit";

type Edit = ReturnType<typeof useEdit>;

interface EditSheetProps {
  /** The plan to edit; null for a new one. */
  plan: ManagedPlan | null;
  onClose: () => void;
}

export function EditSheet({ plan, onClose }: EditSheetProps) {
  const { t } = useTranslation("admin-plans");
  const edit = useEdit(plan, onClose);
  const { form, refused } = useInvalidFocus();
  const id = useId();
  return (
    <GuardedSheet
      title={t(plan ? "editor.edit" : "editor.new")}
      unsaved={edit.unsaved && !edit.saved}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={edit.saving}>
            {t("editor.cancel")}
          </Button>
          <Button look="primary" type="submit" form={id} busy={edit.saving}>
            {t(plan ? "editor.update" : "editor.create")}
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
        <About edit={edit} />
        <Figures edit={edit} />
        <FeaturesTab edit={edit} />
      </form>
    </GuardedSheet>
  );
}

function About({ edit }: { edit: Edit }) {
  const { t } = useTranslation("admin-plans");
  const wrong = useFieldError(edit);
  return (
    <>
      <Field label={t("editor.name")} error={wrong("name")}>
        {(wiring) => (
          <TextInput
            {...wiring}
            {...INITIAL_FOCUS}
            autoComplete="off"
            value={edit.typed.name}
            onChange={(event) => edit.change({ name: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label={t("editor.description")} error={wrong("description")}>
        {(wiring) => (
          <textarea
            {...wiring}
            rows={3}
            className={`${CONTROL} h-auto resize-y py-2`}
            value={edit.typed.description}
            onChange={(event) => edit.change({ description: event.currentTarget.value })}
          />
        )}
      </Field>
    </>
  );
}

function Figures({ edit }: { edit: Edit }) {
  const { t } = useTranslation("admin-plans");
  const wrong = useFieldError(edit);
  return (
    <div className="grid gap-x-5 gap-y-5 sm:grid-cols-2">
      <NumberField
        label={t("editor.price")}
        error={wrong("price")}
        value={edit.typed.price}
        onChange={(price) => edit.change({ price })}
      />
      <Field label={t("editor.currency")} error={wrong("currency")}>
        {(wiring) => (
          <TextInput
            {...wiring}
            autoComplete="off"
            autoCapitalize="characters"
            placeholder="UAH"
            className="uppercase placeholder:normal-case"
            value={edit.typed.currency}
            onChange={(event) => edit.change({ currency: event.currentTarget.value })}
          />
        )}
      </Field>
      <LimitFields edit={edit} />
    </div>
  );
}

function FeaturesTab({ edit }: { edit: Edit }) {
  const { t } = useTranslation(["admin-plans", "rules"]);
  const wrong = useFieldError(edit);
  return (
    <div className="grid gap-x-5 gap-y-5 sm:grid-cols-2">
      <FeatureFields legend={t("editor.features")} edit={edit} />
      <div className="flex flex-col gap-5">
        <Field label={t("editor.speed")} hint={t("editor.speed_hint")} error={wrong("queue_speed")}>
          {(wiring) => (
            <select
              {...wiring}
              className={CONTROL}
              value={edit.typed.queue_speed}
              onChange={(event) => edit.change({ queue_speed: event.currentTarget.value as QueueSpeed })}
            >
              {QUEUE_SPEEDS.map((speed) => (
                <option key={speed} value={speed}>
                  {t(`rules:comparison.${speed}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Switch
          checked={edit.typed.is_active}
          onChange={(is_active) => edit.change({ is_active })}
          hint={t("editor.active_hint")}
        >
          {t("editor.active")}
        </Switch>
      </div>
    </div>
  );
}
