import { askSession } from "./base/session";
import { applyLook } from "./base/settings";
import { loadTexts } from "./base/text";

const patience_ms = 500; // a page that knows nobody yet offers nothing to do

// Asks for the texts and the session while the rest of the console is still on its way.
export async function open(): Promise<void> {
    applyLook();
    const session = Promise.race([askSession(), new Promise((resolve) => setTimeout(resolve, patience_ms))]);
    const [{ show }] = await Promise.all([import("./console"), loadTexts(), session]);
    show();
}
