/** Names the current state. */
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { Field, TextInput } from "@/components/field";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";
import { MAX_MARK_NAME } from "@/rules/constants";
import { useCreateMark } from "./api";

interface NameFormProps {
  jobId: string;
  version: number;
  flush: () => Promise<void>;
}

export function NameForm({ jobId, version, flush }: NameFormProps) {
  const { t } = useTranslation("history");
  const errorText = useErrorText();
  const create = useCreateMark(jobId);
  const [name, setName] = useState("");
  const [lacking, setLacking] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = name.trim();
    setLacking(given === "");
    if (given === "") return;
    try {
      await flush();
      await create.mutateAsync({ version, name: given });
      setName("");
      toast.success(t("name.done"));
    } catch (error) {
      toast.error(`${t("name.failed")}. ${errorText(error)}`);
    }
  };

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-2">
      <Field label={t("name.label")} error={lacking ? t("name.lacking") : undefined}>
        {(wiring) => (
          <div className="flex gap-2">
            <TextInput
              {...wiring}
              value={name}
              maxLength={MAX_MARK_NAME}
              placeholder={t("name.example")}
              onChange={({ currentTarget }) => {
                setName(currentTarget.value);
                setLacking(false);
              }}
            />
            <Button type="submit" busy={create.isPending}>
              {t("name.save")}
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}
