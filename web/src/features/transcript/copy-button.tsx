/** Takes the text along by the clipboard. */
import { Copy } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { toast } from "@/lib/toast";
import { copyText } from "@/lib/clipboard";
import { plainText } from "./copy-text";
import type { Segment } from "./model";

interface CopyButtonProps {
  segments: readonly Segment[];
  size?: "normal" | "small";
}

export function CopyButton({ segments, size = "normal" }: CopyButtonProps) {
  const { t } = useTranslation("transcript");
  const copy = async () => {
    if (await copyText(plainText(segments))) {
      toast.success(t("text.copied"));
    } else {
      toast.error(t("text.copyFailed"));
    }
  };
  return (
    <Button size={size} onClick={() => void copy()}>
      <Copy aria-hidden="true" />
      {t("text.copy")}
    </Button>
  );
}
