// A master with tokens answers nobody without one.
import type { JSX } from "preact";
import { Icon } from "../base/icon";
import { comeIn } from "../base/session";
import { t } from "../base/text";

export function NeedsToken(): JSX.Element {
    return (
        <main class="signin" id="main">
            <div class="empty">
                <Icon name="plug" />
                <h1>{t("token.needed")}</h1>
                <p>{t("token.needed.hint")}</p>
                <button type="button" onClick={comeIn}>
                    {t("again")}
                </button>
            </div>
        </main>
    );
}
