import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../base/icon";
import { t } from "../base/text";

// The end of a form: leave it, or send it. What comes before stands at the other side.
export function DialogEnd(props: { leave: () => void; go: string; disabled: boolean; children?: ComponentChildren }): JSX.Element {
    return (
        <div class="dialog-end">
            {props.children}
            <span class="grow" />
            <button type="button" onClick={props.leave}>
                {t("cancel")}
            </button>
            <button type="submit" class="primary" disabled={props.disabled}>
                {props.go}
            </button>
        </div>
    );
}

// A modal dialog: the browser keeps the focus in it, and gives it back.
export function Dialog({
    title,
    close,
    wide,
    stays,
    children,
}: {
    title: string;
    close: () => void;
    wide?: boolean;
    stays?: boolean; // a click beside it, which may be a slip, does not close it
    children: ComponentChildren;
}): JSX.Element {
    const element = useRef<HTMLDialogElement>(null);
    const id = useId();
    // Before the next key comes: what is typed right after a shortcut belongs to the dialog.
    useLayoutEffect(() => {
        const dialog = element.current;
        const before = document.activeElement;
        dialog?.showModal();
        return () => {
            dialog?.close();
            if (before instanceof HTMLElement && before !== document.body && before.isConnected) before.focus();
            else document.getElementById("main")?.focus(); // what opened it is gone
        };
    }, []);
    return (
        <dialog
            ref={element}
            class={wide ? "wide" : ""}
            aria-labelledby={id}
            onCancel={(event) => {
                event.preventDefault();
                close();
            }}
            onMouseDown={(event) => {
                if (event.target === element.current && !stays) close();
            }}
        >
            <div class="dialog">
                <header>
                    <h2 id={id}>{title}</h2>
                    <button type="button" class="quiet" aria-label={t("close")} title={t("close")} onClick={close}>
                        <Icon name="close" />
                    </button>
                </header>
                {children}
            </div>
        </dialog>
    );
}
