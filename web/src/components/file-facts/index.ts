export { FileFacts } from "./file-facts";
