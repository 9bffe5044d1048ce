/** Where a source is, and how the server signs in there. */
import { useTranslation } from "react-i18next";
import type { Source } from "@/api/sources";
import { Field, TextInput } from "@/components/field";
import { PasswordField } from "../places/password-field";
import type { FilledForm } from "./form";

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
          <PasswordField
            label={t(`kinds.${kind}.password`)}
            stored={source}
            form={form}
            error={errorOf("password")}
            change={change}
          />
        </>
      )}
    </>
  );
}
