/** A user's photo: chosen, cropped, previewed. */
export { AvatarField } from "./avatar-field";
