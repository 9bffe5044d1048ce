/** A button that opens the browser's file dialog. */
import { type ChangeEvent, type ReactNode, useRef } from "react";
import { Button, type ButtonLook } from "@/components/button";
import { audioTypes, mimeTypes } from "@/rules";
import { useExtraTypes } from "../accepted-types";

interface FilePickerProps {
  look?: ButtonLook;
  size?: "normal" | "small";
  className?: string;
  onFiles: (files: readonly File[]) => void;
  children: ReactNode;
}

export function FilePicker({ look = "outline", size = "normal", className, onFiles, children }: FilePickerProps) {
  const picker = useRef<HTMLInputElement>(null);
  const more = useExtraTypes();

  const picked = (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.currentTarget.files ?? [])];
    // Lets the same file be chosen again after it was refused or cancelled.
    event.currentTarget.value = "";
    if (files.length > 0) {
      onFiles(files);
    }
  };

  return (
    <>
      <Button look={look} size={size} className={className} onClick={() => picker.current?.click()}>
        {children}
      </Button>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept={[...audioTypes().flatMap((type) => [`.${type}`, ...mimeTypes(type)]), ...more.map((type) => `.${type}`)].join(
          ",",
        )}
        onChange={picked}
      />
    </>
  );
}
