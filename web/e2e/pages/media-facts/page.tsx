/** A page that shows the facts of given files; built by media-facts.spec.ts only. */
import "@/styles/app.css";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { FileFacts } from "@/components/file-facts";
import { startI18n } from "@/lib/i18n";
import { useMediaFacts } from "@/lib/media-facts";

function FileItem({ file }: { file: File }) {
  const [track, setTrack] = useState<number | null>(null);
  const { facts, state } = useMediaFacts(file, track);
  return (
    <li
      className="rounded-lg border border-rule bg-paper-raised px-4 py-3"
      data-testid={file.name}
      data-state={state}
      data-facts={JSON.stringify(facts)}
    >
      <FileFacts name={file.name} size={file.size} {...facts} state={state} track={track} onTrack={setTrack} />
    </li>
  );
}

function Page() {
  const [files, setFiles] = useState<File[]>([]);
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-4 p-4">
      <h1 className="headline text-2xl">Slovo</h1>
      <input aria-label="files" type="file" multiple onChange={(event) => setFiles([...(event.currentTarget.files ?? [])])} />
      <ul className="flex flex-col gap-3">
        {files.map((file) => (
          <FileItem key={file.name} file={file} />
        ))}
      </ul>
    </div>
  );
}

const root = document.getElementById("root");
if (root) {
  await startI18n();
  createRoot(root).render(<Page />);
}
