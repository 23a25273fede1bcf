// The text of a token that was made, kept until the person has closed it, also when the page must sign in meanwhile, as after
// the first token.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import type { Schemas } from "../base/api";
import { t } from "../base/text";
import { Copy } from "../widgets/copy";
import { Dialog } from "../widgets/dialog";

export const made = signal<Schemas["CreatedToken"] | undefined>(undefined);

export function NewToken(): JSX.Element | null {
    const token = made.value;
    if (!token) return null;
    return (
        <Dialog title={t("tokens.new.title", { token: token.note || token.id })} close={() => (made.value = undefined)} stays>
            <p>{t("tokens.once")}</p>
            <pre class="command">
                <code>{token.token}</code>
                <Copy text={token.token} label={t("tokens.copy")} />
            </pre>
            <div class="dialog-end">
                <span class="grow" />
                <button type="button" class="primary" autofocus onClick={() => (made.value = undefined)}>
                    {t("tokens.kept")}
                </button>
            </div>
        </Dialog>
    );
}
