/** Filters for tag and folder, shown once there are any. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { GroupKind } from "@/api/groups";
import type { JobFilter } from "@/api/jobs";
import { Button } from "@/components/button";
import { Labelled } from "../labelled";
import type { FilterChange } from "../use-filter";
import { GroupsSheet } from "./groups-sheet";
import { useGroups } from "./use-groups";

interface GroupFiltersProps {
  filter: JobFilter;
  onChange: (change: FilterChange) => void;
}

export function GroupFilters({ filter, onChange }: GroupFiltersProps) {
  const { t } = useTranslation("transcripts");
  const [managing, setManaging] = useState(false);
  return (
    <>
      <GroupFilter kind="tags" chosen={filter.tag} onChoose={(tag) => onChange({ tag })} />
      <GroupFilter kind="folders" chosen={filter.folder} onChoose={(folder) => onChange({ folder })} />
      <Button look="quiet" className="self-end max-sm:col-span-2" onClick={() => setManaging(true)}>
        {t("groups.manage")}
      </Button>
      {managing && <GroupsSheet onClose={() => setManaging(false)} />}
    </>
  );
}

interface GroupFilterProps {
  kind: GroupKind;
  chosen: string | undefined;
  onChoose: (id: string) => void;
}

function GroupFilter({ kind, chosen, onChoose }: GroupFilterProps) {
  const { t } = useTranslation("transcripts");
  const groups = useGroups(kind);
  // A deleted group still filters the list, so it is shown and can be removed.
  const isMissing = chosen !== undefined && groups.every(({ id }) => id !== chosen);
  if (groups.length === 0 && !isMissing) return null;
  return (
    <Labelled label={t(`groups.${kind}.filter`)} chosen={chosen}>
      {(wiring) => (
        <select {...wiring} value={chosen ?? ""} onChange={(event) => onChoose(event.currentTarget.value)}>
          <option value="">{t(`groups.${kind}.any`)}</option>
          {groups.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          {isMissing && <option value={chosen}>{t("groups.gone")}</option>}
        </select>
      )}
    </Labelled>
  );
}
