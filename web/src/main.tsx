import "@/styles/app.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { followLocale, startTexts } from "@/lib/i18n";
import { followTheme } from "@/lib/theme";

const container = document.getElementById("root");
if (!container) throw new Error("index.html has no #root");
const root = createRoot(container);

followTheme();
// Fetched side by side; nothing is shown before there are texts to show. The rules' module brings the wasm with it. The texts
// are those of the frame; a page brings its own.
const application = Promise.all([import("@/app/app"), import("@/rules")]);
await startTexts(["common", "shell", "rules"]);
followLocale();

try {
  const [{ App }] = await application;
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
} catch (error) {
  console.error(error);
  const { StartFailure } = await import("@/components/start-failure");
  root.render(<StartFailure />);
}
