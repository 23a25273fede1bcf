import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Icon } from "../base/icon";
import { t } from "../base/text";

// A modal dialog: the browser keeps the focus in it, and gives it back.
export function Dialog({
    title,
    close,
    wide,
    children,
}: {
    title: string;
    close: () => void;
    wide?: boolean;
    children: ComponentChildren;
}): JSX.Element {
    const element = useRef<HTMLDialogElement>(null);
    const id = useId();
    useEffect(() => {
        const dialog = element.current;
        const before = document.activeElement;
        dialog?.showModal();
        return () => {
            dialog?.close();
            if (before instanceof HTMLElement && before.isConnected) before.focus();
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
                if (event.target === element.current) close();
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
