/** The list of targets, and the dialogs opened from it. */
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Target, TargetList } from "@/api/targets";
import { Button } from "@/components/button";
import { useGone } from "../places/use-gone";
import { DeleteTarget } from "./delete-target";
import { FilesSheet } from "./files-sheet";
import { TargetEditor } from "./target-editor";
import { TargetRow } from "./target-row";

interface TargetsProps {
  list: TargetList;
  /** A row with the focus has disappeared. */
  onGone: () => void;
}

/** The sheet or dialog that is open over the page. */
type Open = { over: "editor"; target: Target | null } | { over: "files" | "delete"; target: Target };

export function Targets({ list, onGone }: TargetsProps) {
  const { t } = useTranslation("targets");
  const [open, show] = useState<Open | null>(null);
  const gone = useGone(open !== null, onGone);
  const close = () => show(null);
  return (
    <div className="flex flex-col gap-4">
      <Button className="self-start" onClick={() => show({ over: "editor", target: null })}>
        <Plus aria-hidden="true" />
        {t("add")}
      </Button>
      {list.targets.length === 0 ? (
        <p className="max-w-[60ch] text-[0.9375rem] text-pretty text-ink-soft">{t("empty")}</p>
      ) : (
        <ul aria-label={t("title")} className="border-t border-rule">
          {list.targets.map((target) => (
            <TargetRow
              key={target.id}
              target={target}
              onEdit={() => show({ over: "editor", target })}
              onFiles={() => show({ over: "files", target })}
              onDelete={() => show({ over: "delete", target })}
            />
          ))}
        </ul>
      )}
      {open?.over === "editor" && <TargetEditor target={open.target} kinds={list.kinds} folders={list.folders} onClose={close} />}
      {open?.over === "files" && <FilesSheet target={open.target} onClose={close} />}
      {open?.over === "delete" && <DeleteTarget target={open.target} onDeleted={gone} onClose={close} />}
    </div>
  );
}
