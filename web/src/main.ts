// The first of the scripts, small: it asks for the texts and the session while the rest of the console is still on its way.
import { askSession } from "./base/session";
import { applyLook } from "./base/settings";
import { loadTexts } from "./base/text";

const patience_ms = 500; // a page that knows nobody yet offers nothing to do

// The page was read before an upgrade of the master, or the connection broke; there may be no texts either.
function sayLost(): void {
    const [button, said] = [document.createElement("button"), document.createElement("p")];
    button.textContent = "Load the page again / ページを再読み込み";
    button.onclick = () => location.reload();
    said.setAttribute("role", "alert");
    said.className = "empty";
    said.append(button);
    document.getElementById("console")?.replaceChildren(said);
}

async function open(): Promise<void> {
    const session = Promise.race([askSession(), new Promise((resolve) => setTimeout(resolve, patience_ms))]);
    const [{ show }] = await Promise.all([import("./console"), loadTexts(), session]);
    show();
}

applyLook();
open().catch((error: unknown) => {
    sayLost();
    throw error;
});
