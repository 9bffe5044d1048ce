/** A password input with a button to show the password. */
import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { useTranslation } from "react-i18next";
import { TextInput } from "@/components/field";

export function PasswordInput(props: Omit<ComponentProps<"input">, "type" | "className">) {
  const { t } = useTranslation("auth");
  const [visible, setVisible] = useState(false);
  const Icon = visible ? EyeOff : Eye;
  return (
    <div className="relative">
      <TextInput {...props} type={visible ? "text" : "password"} spellCheck={false} autoCapitalize="off" className="pr-12" />
      <button
        type="button"
        aria-label={t(visible ? "hide_password" : "show_password")}
        aria-pressed={visible}
        onClick={() => setVisible(!visible)}
        className="absolute inset-y-0 right-0 flex w-11 items-center justify-center rounded text-ink-faint hover:text-ink"
      >
        <Icon aria-hidden="true" className="size-[1.125rem]" />
      </button>
    </div>
  );
}
