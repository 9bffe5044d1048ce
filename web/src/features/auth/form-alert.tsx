export { FormAlert } from "@/components/form-alert";
