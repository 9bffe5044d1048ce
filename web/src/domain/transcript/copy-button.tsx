/** Copies the text to the clipboard. */
import { Copy } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { copyText } from "@/lib/clipboard";
import { toast } from "@/lib/toast";
import { plainText } from "./copy-text";
import type { SpokenSegment } from "./model";
import type { NamedSpeaker } from "./speakers";

interface CopyButtonProps {
  className?: string;
  /** Returns the text at the time of copying. */
  segments: () => readonly SpokenSegment[];
  /** Returns the speakers with names at the time of copying. */
  speakers?: (() => readonly NamedSpeaker[]) | undefined;
  size?: "normal" | "small";
}

export function CopyButton({ segments, speakers, size = "normal", className }: CopyButtonProps) {
  const { t } = useTranslation("transcript");
  const copy = useCopyText(segments, speakers);
  return (
    <Button size={size} {...(className && { className })} onClick={() => void copy()}>
      <Copy aria-hidden="true" />
      {t("text.copy")}
    </Button>
  );
}

/** Copies the whole text; returns whether that succeeded. */
export function useCopyText(
  segments: () => readonly SpokenSegment[],
  speakers?: () => readonly NamedSpeaker[],
): () => Promise<void> {
  const { t } = useTranslation("transcript");
  return async () => {
    if (await copyText(plainText(segments(), speakers?.()))) {
      toast.success(t("text.copied"));
    } else {
      toast.error(t("text.copyFailed"));
    }
  };
}
