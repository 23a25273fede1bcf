import { render } from "preact";
import { askSession, session } from "./base/session";
import { applyLook } from "./base/settings";
import { followLanguage, loadTexts } from "./base/text";
import { operations } from "./operations/source";
import { overview, workers } from "./shell/overviewsource";
import { prepare, Shell } from "./shell/shell";
import { SignIn } from "./shell/signin";
import { NewToken } from "./tokens/newtoken";

function Console() {
    return (
        <>
            {session.value.phase === "out" ? <SignIn /> : <Shell />}
            <NewToken />
        </>
    );
}

const patience_ms = 500; // a page that knows nobody yet offers nothing to do

applyLook();
prepare();
await Promise.all([loadTexts(), Promise.race([askSession(), new Promise((resolve) => setTimeout(resolve, patience_ms))])]);
followLanguage();
session.subscribe((who) => {
    if (who.phase === "in") for (const each of [overview, workers, operations]) each.ask();
});
const at = document.getElementById("console");
if (at) render(<Console />, at);
