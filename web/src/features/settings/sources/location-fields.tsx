/** Where a source is, and how the server signs in there. */
import { useTranslation } from "react-i18next";
import type { Source } from "@/api/sources";
import { Checkbox } from "@/components/checkbox";
import { Field, TextInput } from "@/components/field";
import { PasswordInput } from "@/components/password-input";
import { type FilledForm, losesPassword } from "./form";

interface LocationFieldsProps {
  source: Source | null;
  form: FilledForm;
  watchedFolders: readonly string[];
  errorOf: (field: keyof FilledForm) => string | undefined;
  change: (change: Partial<FilledForm>) => void;
}

const EXAMPLES = {
  podcast: "https://example.com/feed.xml",
  webdav: "https://cloud.example.com/remote.php/dav/files/olena/Recordings/",
  s3: "https://s3.eu-central-1.amazonaws.com/bucket/recordings/",
  folder: "/srv/recordings",
};

export function LocationFields({ source, form, watchedFolders, errorOf, change }: LocationFieldsProps) {
  const { t } = useTranslation("sources");
  const { kind } = form;
  const hint = kind === "folder" ? t("kinds.folder.hint", { folders: watchedFolders.join(", ") }) : t(`kinds.${kind}.hint`);
  return (
    <>
      <Field label={t(`kinds.${kind}.location`)} hint={hint} error={errorOf("location")}>
        {(wiring) => (
          <TextInput
            {...wiring}
            type={kind === "folder" ? "text" : "url"}
            required
            autoComplete="off"
            spellCheck={false}
            placeholder={EXAMPLES[kind]}
            value={form.location}
            onChange={(event) => change({ location: event.currentTarget.value })}
          />
        )}
      </Field>
      {kind === "s3" && (
        <Field label={t("editor.region")} error={errorOf("region")}>
          {(wiring) => (
            <TextInput
              {...wiring}
              autoComplete="off"
              spellCheck={false}
              placeholder="us-east-1"
              value={form.region}
              onChange={(event) => change({ region: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
      {(kind === "s3" || kind === "webdav") && (
        <>
          <Field label={t(`kinds.${kind}.user`)} error={errorOf("user")}>
            {(wiring) => (
              <TextInput
                {...wiring}
                autoComplete="off"
                spellCheck={false}
                value={form.user}
                onChange={(event) => change({ user: event.currentTarget.value })}
              />
            )}
          </Field>
          <PasswordField source={source} form={form} label={t(`kinds.${kind}.password`)} errorOf={errorOf} change={change} />
        </>
      )}
    </>
  );
}

type PasswordFieldProps = Omit<LocationFieldsProps, "watchedFolders"> & { label: string };

/** A password can be entered and removed; it is never shown again. */
function PasswordField({ source, form, label, errorOf, change }: PasswordFieldProps) {
  const { t } = useTranslation("sources");
  const isLost = losesPassword(source, form);
  const isKept = source?.has_password === true && !isLost;
  const hint = isLost ? t("editor.password_lost") : isKept ? t("editor.password_kept") : t("editor.password_hint");
  return (
    <div className="flex flex-col gap-2">
      <Field label={label} hint={hint} error={errorOf("password")}>
        {(wiring) => (
          <PasswordInput
            {...wiring}
            autoComplete="off"
            disabled={form.removesPassword}
            value={form.password}
            onChange={(event) => change({ password: event.currentTarget.value })}
          />
        )}
      </Field>
      {isKept && (
        <Checkbox checked={form.removesPassword} onChange={(removesPassword) => change({ removesPassword, password: "" })}>
          {t("editor.password_remove")}
        </Checkbox>
      )}
    </div>
  );
}
