// The designed states of a screen: loading, empty, failed, stale.
import { useEffect, useState } from "preact/hooks";
import type { ComponentChildren, JSX } from "preact";
import type { Failure } from "../base/api";
import { second, serverNow } from "../base/clock";
import { sentence } from "../base/failure";
import { Icon, type IconName } from "../base/icon";
import { isFresh } from "../base/live";
import * as show from "../base/show";
import { t } from "../base/text";
import { copyText } from "./copy";

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

interface Tried {
    error: Failure | undefined;
    at_ms?: number;
    since_ms?: number;
    retry_ms?: number;
}

const clock = (own_ms: number) => show.time(serverNow() - (Date.now() - own_ms));

// What failed, since when, and when the next try is.
function Attempt({ tried, again }: { tried: Tried; again?: () => void }): JSX.Element {
    void second.value;
    const { error, since_ms = 0, retry_ms = 0 } = tried;
    const text = error ? sentence(error) : "";
    const [copied, setCopied] = useState(false);
    const since = since_ms > 0 ? new Date(since_ms).toISOString() : "";
    const details = [text, error?.problem?.code, since, location.href].filter(Boolean).join("\n");
    const wait_s = Math.ceil((retry_ms - Date.now()) / 1000);
    return (
        <p class="attempt">
            {since_ms > 0 && <span class="faint">{t("failed.since", { at: clock(since_ms) })}</span>}
            {retry_ms > 0 && <span class="countdown">{wait_s > 0 ? t("stale.next", { n: wait_s }) : t("stale.trying")}</span>}
            {again && (
                <button type="button" onClick={again}>
                    {t("again")}
                </button>
            )}
            <button type="button" onClick={() => void copyText(details).then(setCopied)}>
                {t(copied ? "copied" : "copy.details")}
            </button>
        </p>
    );
}

export function Trouble({ title, again, ...tried }: { title: string; again?: () => void } & Tried): JSX.Element {
    return (
        <div class="empty trouble">
            <Icon name="warning" />
            <div role="alert">
                <strong>{title}</strong>
                {tried.error && <p>{sentence(tried.error)}</p>}
            </div>
            <Attempt tried={tried} again={again} />
        </div>
    );
}

// What is shown is old, as the last try failed. Where nothing comes from the master at all, its banner says so.
function Old({ title, again, tried }: { title: string; again?: () => void; tried: Tried }): JSX.Element | null {
    if (!tried.error || !isFresh.value) return null;
    return (
        <div class="old">
            <p role="alert">
                <strong>{title}</strong> {sentence(tried.error)} {tried.at_ms ? t("stale.since", { at: clock(tried.at_ms) }) : ""}
            </p>
            <Attempt tried={tried} again={again} />
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
    data: { value: T | undefined } & Tried;
    again?: () => void;
    title: string;
    rows?: number;
    children: (value: T) => ComponentChildren;
}): JSX.Element | null {
    if (data.value !== undefined)
        return (
            <>
                <Old title={title} again={again} tried={data} />
                {children(data.value)}
            </>
        );
    if (data.error) return <Trouble title={title} {...data} again={again} />;
    return <Skeleton rows={rows} />;
}
