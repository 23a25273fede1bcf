import { render } from "preact";
import { applyLook } from "./base/settings";
import { followLanguage, loadTexts } from "./base/text";
import { startLive } from "./base/live";
import { Shell } from "./shell/shell";

applyLook();
await loadTexts();
followLanguage();
startLive();
const at = document.getElementById("console");
if (at) render(<Shell />, at);
