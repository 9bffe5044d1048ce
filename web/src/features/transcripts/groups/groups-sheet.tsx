/** All tags and folders: create, rename, recolour, delete. */
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type GroupKind, type JobGroup, useRemoveGroup } from "@/api/groups";
import { Button } from "@/components/button";
import { InlineConfirm } from "@/components/inline-confirm";
import { Sheet } from "@/components/sheet";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";
import { GroupForm } from "./group-form";
import { GroupIcon } from "./group-icon";
import { useGroups } from "./use-groups";

export function GroupsSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("transcripts");
  return (
    <Sheet wide title={t("groups.title")} onClose={onClose} className="grid content-start gap-x-8 gap-y-8 md:grid-cols-2">
      <Groups kind="tags" />
      <Groups kind="folders" />
    </Sheet>
  );
}

function Groups({ kind }: { kind: GroupKind }) {
  const { t } = useTranslation("transcripts");
  const id = useId();
  const groups = useGroups(kind);
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-3">
      <h3 id={id} className="headline text-lg">
        {t(`groups.${kind}.title`)}
      </h3>
      {groups.length > 0 && (
        <ul className="border-t border-rule">
          {groups.map((group) => (
            <Row key={group.id} kind={kind} group={group} />
          ))}
        </ul>
      )}
      <GroupForm kind={kind} />
    </section>
  );
}

function Row({ kind, group }: { kind: GroupKind; group: JobGroup }) {
  const { t } = useTranslation(["transcripts", "common"]);
  const errorText = useErrorText();
  const remove = useRemoveGroup();
  const opener = useRef<HTMLButtonElement>(null);
  const [step, setStep] = useState<"shown" | "changed" | "left">("shown");
  const { name, color } = group;

  useEffect(() => {
    if (step !== "left") return;
    opener.current?.focus();
    setStep("shown");
  }, [step]);

  if (step === "changed") {
    return (
      <li className="border-b border-rule py-2">
        <GroupForm kind={kind} group={group} onDone={() => setStep("left")} />
      </li>
    );
  }
  const onConfirm = () =>
    remove
      .mutateAsync({ kind, id: group.id })
      .catch((error: unknown) => toast.error(t("action_failed", { reason: errorText(error) })));
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-2 border-b border-rule py-1">
      <GroupIcon kind={kind} color={color} />
      <span className="min-w-0 flex-1 wrap-anywhere">{name}</span>
      <Button ref={opener} size="small" look="quiet" aria-label={t("groups.change", { name })} onClick={() => setStep("changed")}>
        {t("groups.edit")}
      </Button>
      <InlineConfirm
        look="quiet"
        label={t("common:actions.delete")}
        description={t("groups.delete", { name })}
        question={t(`groups.${kind}.question`)}
        confirm={t("common:actions.delete")}
        onConfirm={onConfirm}
      />
    </li>
  );
}
