// Who has signed in, and the way out.
import type { JSX } from "preact";
import { act } from "../base/act";
import { session, signOut } from "../base/session";
import * as show from "../base/show";
import { listed, t, word } from "../base/text";
import { Dialog } from "../widgets/dialog";

export const personName = (): string => session.value.note || session.value.who;

export function AccountDialog({ close }: { close: () => void }): JSX.Element {
    const { who, roles, expires_ms } = session.value;
    const leave = (everywhere: boolean) => void act("sign out", () => signOut(everywhere));
    return (
        <Dialog title={personName()} close={close}>
            <dl class="fields">
                <div>
                    <dt>{t("account.roles")}</dt>
                    <dd>{listed(roles.map((role) => word("role", role)))}</dd>
                </div>
                <div>
                    <dt>{t("account.token")}</dt>
                    <dd>
                        <code>{who}</code>
                    </dd>
                </div>
                {expires_ms > 0 && (
                    <div>
                        <dt>{t("account.until")}</dt>
                        <dd>{show.time(expires_ms)}</dd>
                    </div>
                )}
            </dl>
            <p class="faint">{t("account.everywhere.hint")}</p>
            <div class="dialog-end">
                <button type="button" class="primary" onClick={() => leave(false)}>
                    {t("account.out")}
                </button>
                <button type="button" onClick={() => leave(true)}>
                    {t("account.everywhere")}
                </button>
            </div>
        </Dialog>
    );
}
