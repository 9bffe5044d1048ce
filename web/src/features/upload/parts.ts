/** Lazy parts of the page; each is loaded when it is first shown, or once the browser is idle. */
import { ERROR_TEXTS, withTexts } from "@/lib/i18n";
import { lazyPart } from "@/lib/part";
import { loadTransferClient } from "./tus-transfer";

export const UrlTab = lazyPart(async () => (await withTexts(import("./select/url-tab"), ...ERROR_TEXTS)).UrlTab);
export const VoiceTab = lazyPart(async () => (await withTexts(import("./voice"), "voice", ...ERROR_TEXTS)).VoiceTab);
export const ItemList = lazyPart(
  async () => (await withTexts(import("./items/item-list"), "media-facts", ...ERROR_TEXTS)).ItemList,
);
export const TrayConfigure = lazyPart(
  async () => (await withTexts(import("./tray-configure"), "media-facts", "presets", ...ERROR_TEXTS)).TrayConfigure,
);

/** In the order of likely use. */
export const UPLOAD_PARTS = [TrayConfigure.load, loadTransferClient, ItemList.load, VoiceTab.load, UrlTab.load];
