import { askSession } from "./base/session";
import { applyLook } from "./base/settings";
import { loadTexts } from "./base/text";

// The rest of the style is asked for with the page, but does not hold up its first paint.
function styled(): Promise<void> {
    const frame = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"]');
    const link = document.querySelector<HTMLLinkElement>('link[rel="preload"][as="style"]');
    if (!frame?.sheet?.cssRules.length || !link) return Promise.reject(new Error("a style is gone"));
    return new Promise((resolve, reject) => {
        link.onload = () => resolve();
        link.onerror = () => reject(new Error("a style is gone"));
        link.rel = "stylesheet";
    });
}

const patience_ms = 500; // a page that knows nobody yet offers nothing to do

// Asks for the texts and the session while the rest of the console is still on its way.
export async function open(): Promise<void> {
    applyLook();
    const session = Promise.race([askSession(), new Promise((resolve) => setTimeout(resolve, patience_ms))]);
    const [{ show }] = await Promise.all([import("./console"), loadTexts(), styled(), session]);
    show();
}
