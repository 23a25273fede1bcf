import { render } from "preact";
import { startLive } from "./base/live";
import { session } from "./base/session";
import { applyLook } from "./base/settings";
import { followLanguage, loadTexts } from "./base/text";
import { operations } from "./operations/source";
import { NeedsToken } from "./shell/needstoken";
import { overview, workers } from "./shell/overviewsource";
import { Shell } from "./shell/shell";
import { NewToken } from "./tokens/maker";

function Console() {
    return (
        <>
            {session.value.signed_in ? <Shell /> : <NeedsToken />}
            <NewToken />
        </>
    );
}

applyLook();
startLive();
await loadTexts();
followLanguage();
session.subscribe((who) => {
    if (who.signed_in) for (const each of [overview, workers, operations]) each.ask();
});
const at = document.getElementById("console");
if (at) render(<Console />, at);
