import type { JSX } from "preact";
import { isComposing } from "../base/composing";
import { t, type Key } from "../base/text";
import { Dialog } from "../widgets/dialog";

const rows: [string, Key][] = [
    ["Ctrl K", "keys.palette"],
    ["/", "keys.filter"],
    ["?", "keys.keys"],
    ["Alt 1 … 9", "keys.screens"],
    ["J  K  ↑  ↓", "keys.rows"],
    ["Enter", "keys.open"],
    ["Esc", "keys.close"],
    ["Space", "keys.freeze"],
    ["X", "keys.tick"],
    ["W", "keys.why"],
    ["R", "do.retry"],
    ["Del", "do.cancel"],
    ["S", "do.star"],
    ["E", "keys.edit"],
    ["Shift D", "do.delete"],
    ["Ctrl C", "keys.copy"],
    ["Ctrl Z", "keys.undo"],
];

export function KeysDialog({ close }: { close: () => void }): JSX.Element {
    return (
        <Dialog title={t("keys")} close={close}>
            <table class="keys">
                <tbody>
                    {rows.map(([key, text]) => (
                        <tr key={key}>
                            <th scope="row">
                                <kbd>{key}</kbd>
                            </th>
                            <td>{t(text)}</td>
                        </tr>
                    ))}
                </tbody>
            </table>
            <p>
                <a href="manual" target="_blank" rel="noreferrer">
                    {t("keys.manual")}
                </a>
            </p>
        </Dialog>
    );
}

// Whether a key is meant for what the person types into, or composes there.
export function isTyping(event: KeyboardEvent): boolean {
    const target = event.composedPath()[0]; // also in a shadow root
    return (
        isComposing(event) ||
        (target instanceof HTMLElement &&
            (target.isContentEditable ||
                (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) &&
                    !(target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type)))))
    );
}
