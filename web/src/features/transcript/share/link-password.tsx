/** A field for the password of a link. It is not masked, because it must be given to others. */
import { WandSparkles } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { Field, TextInput } from "@/components/field";
import { suggestPassword } from "./suggest-password";

interface LinkPasswordProps {
  label: string;
  value: string;
  error: string | undefined;
  onChange: (password: string) => void;
}

export function LinkPassword({ label, value, error, onChange }: LinkPasswordProps) {
  const { t } = useTranslation("sharing");
  return (
    <Field label={label} hint={t("share.password.hint")} error={error}>
      {(wiring) => (
        <div className="flex flex-wrap gap-2">
          <TextInput
            {...wiring}
            value={value}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            className="figures flex-1 basis-52"
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
          <Button onClick={() => onChange(suggestPassword())}>
            <WandSparkles aria-hidden="true" />
            {t("share.password.suggest")}
          </Button>
        </div>
      )}
    </Field>
  );
}
