/** Takes the text along by the clipboard. */
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
  /** The text as it is when it is copied. */
  segments: () => readonly SpokenSegment[];
  /** Those with names of their own, as they are then. */
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

/** Puts the whole text on the clipboard, and says whether it is there. */
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
