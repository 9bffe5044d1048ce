/** Which texts a target has: all, or those of a folder or with a tag. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { groupsQuery } from "@/api/groups";
import { CONTROL, Field } from "@/components/field";

interface GroupFieldProps {
  chosen: string | null;
  onChange: (id: string | null) => void;
}

export function GroupField({ chosen, onChange }: GroupFieldProps) {
  const { t } = useTranslation("targets");
  const folders = useQuery(groupsQuery("folders"));
  const tags = useQuery(groupsQuery("tags"));
  const groups = [
    { label: t("editor.folders"), options: folders.data ?? [] },
    { label: t("editor.tags"), options: tags.data ?? [] },
  ];
  const isKnown = chosen === null || groups.some(({ options }) => options.some(({ id }) => id === chosen));
  return (
    <Field label={t("editor.group")}>
      {(wiring) => (
        <select
          {...wiring}
          className={CONTROL}
          aria-busy={folders.isPending || tags.isPending || undefined}
          value={chosen ?? ""}
          onChange={(event) => onChange(event.currentTarget.value || null)}
        >
          <option value="">{t("editor.group_all")}</option>
          {/* It was deleted, or the lists are not loaded yet. */}
          {!isKnown && <option value={chosen}>{t("editor.group_gone")}</option>}
          {groups
            .filter(({ options }) => options.length > 0)
            .map(({ label, options }) => (
              <optgroup key={label} label={label}>
                {options.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </optgroup>
            ))}
        </select>
      )}
    </Field>
  );
}
