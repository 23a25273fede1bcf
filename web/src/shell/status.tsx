// How fresh the page is, and where it comes from.
import type { JSX } from "preact";
import { exposure, root } from "../base/api";
import { second, serverNow } from "../base/clock";
import { environment, tone } from "../base/environment";
import { Icon } from "../base/icon";
import { link, retryNow, seesAll } from "../base/live";
import { session } from "../base/session";
import * as show from "../base/show";
import { t } from "../base/text";
import { overview } from "./overviewsource";

function freshness(): { text: string; tone: string } {
    const { phase, heard_ms } = link.value;
    const heard = show.time(serverNow() - (Date.now() - heard_ms));
    switch (phase) {
        case "connecting":
            return { text: t("link.connecting"), tone: "" };
        case "live":
            return { text: t("link.live", { at: show.time(serverNow()) }), tone: "good" };
        case "asking":
            return { text: t("link.asking", { at: heard }), tone: "good" };
        case "stale":
            return { text: heard_ms === 0 ? t("link.none") : t("link.stale", { at: heard }), tone: "bad" };
    }
}

export function Freshness(): JSX.Element {
    void second.value;
    const { text, tone } = freshness();
    return (
        <span class={`fresh ${tone}`}>
            <i aria-hidden="true" />
            {text}
        </span>
    );
}

export function StatusLine(): JSX.Element {
    const { value, error } = overview.data.value;
    const redis =
        error?.status === 503
            ? t("redis.away")
            : value
              ? t("redis.ready", { trip: show.duration(Math.max(1, value.trip_ms)) })
              : t("redis.unknown");
    return (
        <footer class="status">
            {environment.value && <strong class={`environment ${tone.value}`}>{environment.value}</strong>}
            <Freshness />
            <span>{seesAll.value || session.value.phase !== "in" ? redis : t("account.some")}</span>
            <span class="grow" />
            {exposure.value === "insecure" && <span class="fresh bad">{t("insecure")}</span>}
            {exposure.value === "behind_tls" && <span>{t("behind_tls")}</span>}
            <span class="wide-only">{root}</span>
            {value && <span class="wide-only">{t("version", { version: value.overview.version })}</span>}
        </footer>
    );
}

// When nothing new comes: since when, why, and when the next try is.
export function StaleBanner(): JSX.Element | null {
    void second.value;
    const { phase, heard_ms, retry_ms, why, problem } = link.value;
    if (phase !== "stale") return null;
    const wait_s = Math.max(1, Math.ceil((retry_ms - Date.now()) / 1000));
    return (
        <div class="banner" role="alert">
            <Icon name="plug" />
            <span>
                <strong>
                    {why === "store"
                        ? t("stale.store")
                        : why === "refused"
                          ? t("stale.refused", { detail: problem?.detail ?? "" })
                          : t("stale.master")}
                </strong>{" "}
                {heard_ms > 0 && t("stale.since", { at: show.time(serverNow() - (Date.now() - heard_ms)) })}
            </span>
            <span class="countdown">{retry_ms === 0 ? t("stale.trying") : t("stale.next", { n: wait_s })}</span>
            <button type="button" onClick={retryNow} disabled={retry_ms === 0}>
                {t("stale.now")}
            </button>
        </div>
    );
}
