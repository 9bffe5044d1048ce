/** Selects the visible part of a photo: by dragging, pinching, zooming or with the arrow keys. */
import "react-easy-crop/react-easy-crop.css";
import { Dialog } from "radix-ui";
import { useId, useState } from "react";
import Cropper from "react-easy-crop";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { useRestoreFocus } from "@/hooks/use-restore-focus";
import { type Area, cropped } from "./crop";

const MAX_ZOOM = 4;
const ZOOM_STEP = 0.05;
/** Distance that an arrow key moves the photo, in screen pixels. */
const KEYBOARD_STEP_PX = 8;
const CENTRE = { x: 0, y: 0 };

interface CropDialogProps {
  photo: HTMLImageElement;
  onCrop: (picture: Blob) => void;
  onFail: () => void;
  onClose: () => void;
}

export function CropDialog({ photo, onCrop, onFail, onClose }: CropDialogProps) {
  const { t } = useTranslation(["auth", "common"]);
  const [area, setArea] = useState<Area | null>(null);
  const [busy, setBusy] = useState(false);
  const focusBack = useRestoreFocus();

  const apply = async () => {
    if (!area) return;
    setBusy(true);
    try {
      onCrop(await cropped(photo, area));
    } catch (error) {
      console.error(error);
      onFail();
    }
  };

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Dialog.Content
          {...focusBack}
          className="fixed inset-x-4 top-1/2 z-50 mx-auto flex max-h-[calc(100dvh-2rem)] max-w-md -translate-y-1/2 animate-fade flex-col gap-4 overflow-y-auto rounded-lg border border-rule-strong bg-paper-raised p-5 shadow-sheet outline-none"
        >
          <Dialog.Title className="headline text-2xl">{t("avatar.crop_title")}</Dialog.Title>
          <Dialog.Description className="text-[0.9375rem] text-ink-soft">{t("avatar.crop_text")}</Dialog.Description>
          <CropArea src={photo.src} onArea={setArea} />
          <div className="flex flex-wrap justify-end gap-3">
            <Button onClick={onClose}>{t("common:actions.cancel")}</Button>
            <Button look="primary" busy={busy} disabled={area === null} onClick={() => void apply()}>
              {t("avatar.apply")}
            </Button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function CropArea({ src, onArea }: { src: string; onArea: (area: Area) => void }) {
  const { t } = useTranslation("auth");
  const [crop, setCrop] = useState(CENTRE);
  const [zoom, setZoom] = useState(1);
  const slider = useId();
  return (
    <>
      <div className="relative aspect-square w-full shrink-0 overflow-hidden rounded bg-paper-sunk">
        <Cropper
          image={src}
          crop={crop}
          zoom={zoom}
          maxZoom={MAX_ZOOM}
          aspect={1}
          objectFit="cover"
          keyboardStep={KEYBOARD_STEP_PX}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropAreaChange={(_, pixels) => onArea(pixels)}
          disableAutomaticStylesInjection
          classes={{ cropAreaClassName: "focus-visible:outline-4 focus-visible:-outline-offset-4" }}
          mediaProps={{ alt: "" }}
          cropperProps={{ role: "group", "aria-label": t("avatar.area") }}
        />
      </div>
      <div className="flex items-center gap-3">
        <label htmlFor={slider} className="text-[0.9375rem] font-strong">
          {t("avatar.zoom")}
        </label>
        <input
          id={slider}
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={ZOOM_STEP}
          value={zoom}
          aria-valuetext={`${Math.round(zoom * 100)} %`}
          onChange={(event) => setZoom(event.currentTarget.valueAsNumber)}
          className="h-(--control) min-w-0 flex-1 accent-accent"
        />
      </div>
    </>
  );
}
