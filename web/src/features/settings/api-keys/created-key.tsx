/** The secret of a new key, and how to try it. */
import { Copy } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { CreatedApiKey } from "@/api/api-keys";
import { Button } from "@/components/button";
import { Field } from "@/components/field";
import { copyText } from "@/lib/clipboard";
import { toast } from "@/lib/toast";

export function CreatedKey({ created: { secret, key } }: { created: CreatedApiKey }) {
  const { t } = useTranslation("api-keys");
  const once = useId();
  const button = useRef<HTMLButtonElement>(null);
  // The button that had it is gone with the form.
  useEffect(() => button.current?.focus(), []);
  const copy = useCopy();
  return (
    <div className="flex flex-col gap-5">
      <p id={once} className="max-w-[60ch]">
        {t("created.once")}
      </p>
      <div className="flex flex-col gap-3">
        <Field label={t("created.secret")}>
          {(wiring) => (
            <textarea
              {...wiring}
              readOnly
              rows={2}
              // Browsers that restore a closed tab store the texts of its fields.
              autoComplete="off"
              spellCheck={false}
              value={secret}
              onFocus={({ currentTarget }) => currentTarget.select()}
              className="figures field-sizing-content w-full resize-none rounded border border-edge bg-paper px-3 py-2.5 text-sm break-all"
            />
          )}
        </Field>
        <Button ref={button} aria-describedby={once} className="self-start" onClick={() => void copy(secret)}>
          <Copy aria-hidden="true" />
          {t("created.copy")}
        </Button>
      </div>
      {/* The example reads, so other keys would be refused. */}
      {key.scopes.includes("read") && <Example secret={secret} />}
    </div>
  );
}

function Example({ secret }: { secret: string }) {
  const { t } = useTranslation("api-keys");
  const copy = useCopy();
  const command = `curl -H "Authorization: Bearer ${secret}" ${location.origin}/api/v1/jobs`;
  return (
    <div className="flex flex-col gap-3 border-t border-rule pt-5">
      <p className="max-w-[60ch] text-[0.9375rem] text-ink-soft">{t("created.example")}</p>
      <pre className="figures rounded bg-paper-sunk px-3 py-2.5 text-[0.8125rem] wrap-anywhere whitespace-pre-wrap">
        {command}
      </pre>
      <Button size="small" className="self-start" onClick={() => void copy(command)}>
        <Copy aria-hidden="true" />
        {t("created.copy_example")}
      </Button>
    </div>
  );
}

function useCopy(): (text: string) => Promise<void> {
  const { t } = useTranslation("api-keys");
  return async (text) => {
    if (await copyText(text)) toast.success(t("created.copied"));
    else toast.error(t("created.copy_failed"));
  };
}
