import "@/styles/app.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { followLocale, startTexts } from "@/lib/i18n";
import { followTheme } from "@/lib/theme";

const container = document.getElementById("root");
if (!container) throw new Error("index.html has no #root");
const root = createRoot(container);

followTheme();
// Loaded in parallel; nothing is rendered before the texts are loaded. The module of the rules loads the WebAssembly. These
// texts are for the shell; each page loads its own.
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
