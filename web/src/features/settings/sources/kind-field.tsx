/** What a new source is. */
import { Cloud, Database, FolderOpen, type LucideIcon, Podcast } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SourceKind } from "@/api/sources";
import { KindField } from "../places/kind-field";

const ICONS: Record<SourceKind, LucideIcon> = { podcast: Podcast, webdav: Cloud, s3: Database, folder: FolderOpen };

interface SourceKindFieldProps {
  kinds: readonly SourceKind[];
  kind: SourceKind;
  onChange: (kind: SourceKind) => void;
}

export function SourceKindField({ kinds, kind, onChange }: SourceKindFieldProps) {
  const { t } = useTranslation("sources");
  const options = kinds.map((one) => ({
    kind: one,
    icon: ICONS[one],
    name: t(`kinds.${one}.name`),
    text: t(`kinds.${one}.text`),
  }));
  return <KindField legend={t("editor.kind")} options={options} kind={kind} onChange={onChange} />;
}
