/** Asks with which voice another one is merged. */
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMergeVoice, type Voice } from "@/api/voices";
import { Button } from "@/components/button";
import { CONTROL, Field } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { INITIAL_FOCUS, Sheet } from "@/components/sheet";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { toast } from "@/lib/toast";

interface MergeSheetProps {
  voice: Voice;
  voices: readonly Voice[];
  onMerged: () => void;
  onClose: () => void;
}

export function MergeSheet({ voice, voices, onMerged, onClose }: MergeSheetProps) {
  const { t } = useTranslation(["voices", "common"]);
  const errorText = useErrorText();
  const merge = useMergeVoice();
  const { form, refused } = useInvalidFocus();
  const [into, setInto] = useState("");
  const [isMissing, setMissing] = useState(false);
  const formId = useId();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setMissing(into === "");
    if (into === "") return refused();
    try {
      await merge.mutateAsync({ id: voice.id, into });
    } catch {
      // Shown in the form.
      return;
    }
    toast.success(t("voices:merge.done"));
    onMerged();
    onClose();
  };

  return (
    <Sheet
      title={t("voices:merge.title")}
      subject={voice.name}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("common:actions.cancel")}</Button>
          <Button type="submit" form={formId} look="danger" busy={merge.isPending}>
            {t("voices:merge.submit")}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <p className="max-w-[65ch] text-ink-soft wrap-anywhere">{t("voices:merge.text", { name: voice.name })}</p>
        <FormAlert text={merge.error && `${t("voices:merge.failed")}. ${errorText(merge.error)}`} />
        <Field label={t("voices:merge.into")} error={isMissing ? t("voices:merge.choose") : undefined} className="max-w-md">
          {(wiring) => (
            <select
              {...wiring}
              {...INITIAL_FOCUS}
              className={CONTROL}
              value={into}
              onChange={(event) => {
                setInto(event.currentTarget.value);
                setMissing(false);
                merge.reset();
              }}
            >
              <option value="">{t("voices:merge.choose")}</option>
              {voices
                .filter(({ id }) => id !== voice.id)
                .map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
            </select>
          )}
        </Field>
      </form>
    </Sheet>
  );
}
