export { useInvalidFocus } from "@/hooks/use-invalid-focus";
