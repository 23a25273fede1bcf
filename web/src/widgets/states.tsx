// The designed states of a screen: loading, empty, failed, stale.
import { useEffect, useState } from "preact/hooks";
import type { ComponentChildren, JSX } from "preact";
import type { Failure } from "../base/api";
import { sentence } from "../base/failure";
import { Icon, type IconName } from "../base/icon";
import { t } from "../base/text";

const late_ms = 200; // what comes before is not worth a flicker

export function Skeleton({ rows = 6 }: { rows?: number }): JSX.Element | null {
    const [late, setLate] = useState(false);
    useEffect(() => {
        const timer = setTimeout(() => setLate(true), late_ms);
        return () => clearTimeout(timer);
    }, []);
    if (!late) return null;
    return (
        <div class="skeleton" role="status" aria-label={t("loading")}>
            {Array.from({ length: rows }, (_, row) => (
                <i key={row} />
            ))}
        </div>
    );
}

export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }): JSX.Element {
    return (
        <div class="empty">
            <Icon name={icon} />
            <strong>{title}</strong>
            {children}
        </div>
    );
}

export function Trouble({ title, error, again }: { title: string; error: Failure; again?: () => void }): JSX.Element {
    return (
        <div class="empty trouble" role="alert">
            <Icon name="warning" />
            <strong>{title}</strong>
            <p>{sentence(error)}</p>
            {again && (
                <button type="button" onClick={again}>
                    {t("again")}
                </button>
            )}
        </div>
    );
}

// What a panel or a list has to show: its content, or the state that it is in.
export function Shown<T>({
    data,
    again,
    title,
    rows,
    children,
}: {
    data: { value: T | undefined; error: Failure | undefined };
    again?: () => void;
    title: string;
    rows?: number;
    children: (value: T) => ComponentChildren;
}): JSX.Element | null {
    if (data.value !== undefined) return <>{children(data.value)}</>;
    if (data.error) return <Trouble title={title} error={data.error} again={again} />;
    return <Skeleton rows={rows} />;
}
