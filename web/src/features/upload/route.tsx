/** The lazy route of the upload wizard. */
export { UploadPage as Component } from "./upload-page";
