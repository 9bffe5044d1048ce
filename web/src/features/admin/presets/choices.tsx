/** The settings of a tab with a fixed list of choices and without their own control. */
import { ChoiceSelect } from "@/domain/settings";
import { choicesOn, type Tab } from "./edit-fields";
import type { Edit } from "./edit-sheet";

export function Choices({ tab, edit }: { tab: Tab; edit: Edit }) {
  return choicesOn(tab).map((row) => (
    <ChoiceSelect key={row.name} row={row} settings={edit.form.settings} onChange={edit.set} error={edit.errorOf(row.name)} />
  ));
}
