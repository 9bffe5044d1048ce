export { FileFacts, type FileFactsProps } from "./file-facts";
