import { render } from "preact";
import { session } from "./base/session";
import { followLanguage, t } from "./base/text";
import { operations } from "./operations/source";
import { overview, workers } from "./shell/overviewsource";
import { prepare, Shell } from "./shell/shell";
import { SignIn } from "./shell/signin";
import { NewToken } from "./tokens/newtoken";
import { say } from "./widgets/toast";

function Console() {
    return (
        <>
            {session.value.phase === "out" ? <SignIn /> : <Shell />}
            <NewToken />
        </>
    );
}

prepare(); // while the texts and the session are awaited

export function show(): void {
    followLanguage(() =>
        say(t("lost.title"), { failed: true, action: { text: t("lost.reload"), act: () => location.reload() } }),
    );
    session.subscribe((who) => {
        if (who.phase === "in") for (const each of [overview, workers, operations]) each.ask();
    });
    const at = document.getElementById("console");
    if (!at) return;
    at.replaceChildren(); // what index.html shows until now
    render(<Console />, at);
}
