// The reason that goes with every change from now on, as the window asks for one.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { reason } from "../base/act";
import { t } from "../base/text";
import { Dialog, DialogEnd } from "../widgets/dialog";

export function WhyDialog({ close }: { close: () => void }): JSX.Element {
    const [text, setText] = useState(reason.value);
    return (
        <Dialog title={t("why.title")} close={close}>
            <form
                class="form"
                onSubmit={(event) => {
                    event.preventDefault();
                    reason.value = text.trim();
                    close();
                }}
            >
                <p class="faint">{t("why.hint")}</p>
                <label>
                    {t("reason")}
                    <input type="text" maxLength={200} autofocus value={text} onInput={(event) => setText(event.currentTarget.value)} />
                </label>
                <DialogEnd leave={close} go={t("save")} disabled={false} />
            </form>
        </Dialog>
    );
}
