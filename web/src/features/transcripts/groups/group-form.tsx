/** Name and colour of a tag or a folder. */
import { Check } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { type GroupKind, type JobGroup, useSaveGroup } from "@/api/groups";
import { Button } from "@/components/button";
import { Field, TextInput } from "@/components/field";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { useViolationText } from "@/hooks/use-violation-text";
import { cx } from "@/lib/class-names";
import { COLOR_NUMBERS, GroupIcon } from "./group-icon";

interface GroupFormProps {
  kind: GroupKind;
  /** The group to change; absent for a new one. */
  group?: JobGroup;
  onDone?: () => void;
}

export function GroupForm({ kind, group, onDone }: GroupFormProps) {
  const { t } = useTranslation(["transcripts", "common"]);
  const errorText = useErrorText();
  const violationText = useViolationText();
  const save = useSaveGroup();
  const { form, refused } = useInvalidFocus();
  const [name, setName] = useState(group?.name ?? "");
  const [color, setColor] = useState(group?.color ?? 0);
  const broken = save.error instanceof ApiError ? save.error.violations[0] : undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(
      { kind, ...(group && { id: group.id }), form: { name, color } },
      {
        onSuccess: () => {
          if (!group) setName("");
          onDone?.();
        },
        onError: refused,
      },
    );
  };

  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-3 rounded-lg border border-rule bg-paper p-3">
      <Field
        label={t(`groups.${kind}.name`)}
        error={save.error ? (broken ? violationText(broken) : errorText(save.error)) : undefined}
      >
        {(wiring) => (
          <TextInput
            {...wiring}
            value={name}
            autoComplete="off"
            onChange={({ currentTarget }) => {
              setName(currentTarget.value);
              save.reset();
            }}
          />
        )}
      </Field>
      <Colors kind={kind} color={color} onChange={setColor} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={save.isPending}>
          {t(group ? "groups.save" : `groups.${kind}.add`)}
        </Button>
        {group && (
          <Button look="quiet" onClick={onDone}>
            {t("common:actions.cancel")}
          </Button>
        )}
      </div>
    </form>
  );
}

interface ColorsProps {
  kind: GroupKind;
  color: number;
  onChange: (color: number) => void;
}

/** Colours differ between themes, so they have numbers instead of names. */
function Colors({ kind, color, onChange }: ColorsProps) {
  const { t } = useTranslation("transcripts");
  const group = useId();
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="mb-1 text-[0.9375rem] font-strong">{t("groups.color")}</legend>
      {COLOR_NUMBERS.map((number) => (
        <label
          key={number}
          className={cx(
            "relative flex size-10 items-center justify-center rounded border has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:size-11",
            number === color ? "border-ink bg-paper-sunk" : "border-rule-strong",
          )}
        >
          <input
            type="radio"
            name={group}
            checked={number === color}
            onChange={() => onChange(number)}
            className="absolute inset-0 size-full opacity-0"
            aria-label={t("groups.color_number", { number: number + 1 })}
          />
          <GroupIcon kind={kind} color={number} className="size-5" />
          {number === color && <Check aria-hidden="true" className="absolute right-0.5 bottom-0.5 size-3.5" />}
        </label>
      ))}
    </fieldset>
  );
}
