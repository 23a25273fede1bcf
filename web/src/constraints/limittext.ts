// What a limit allows, in its own words: its parameters.
import type { Schemas } from "../base/api";
import * as show from "../base/show";
import { listed, t, word } from "../base/text";

type Constraint = Schemas["Constraint"];
type Of<K extends Constraint["kind"]> = Extract<Constraint, { kind: K }>;
type Window = Pick<Schemas["ConstraintWindow"], "from" | "to" | "days" | "dates">;

const partsShown = 3;

function cost(value: number | string | undefined): string {
    return value === undefined || value === 1 ? "" : t("limit.cost", { cost: typeof value === "number" ? show.count(value) : value });
}

function rateText({ limit, period, algorithm = "gcra", burst = 1, tz = "UTC", cost: each }: Of<"rate">): string {
    const how =
        algorithm === "sliding"
            ? t("limit.sliding")
            : algorithm === "fixed"
              ? t("limit.fixed", { zone: tz })
              : burst > 1
                ? t("limit.burst", { n: burst })
                : "";
    return listed([show.limitRate(limit, period), how, cost(each)].filter(Boolean));
}

function few(parts: readonly string[]): string {
    return listed([...parts.slice(0, partsShown), ...(parts.length > partsShown ? ["…"] : [])]);
}

function shareText(share: Schemas["ShareOf"]): string {
    if (share.percent !== undefined) return show.percent(share.percent / 100);
    const bounds = [
        share.min !== undefined && share.min > 0 ? t("limit.share.least", { n: share.min }) : "",
        share.max !== undefined ? t("limit.share.most", { n: share.max }) : "",
    ].filter(Boolean);
    return bounds.length > 0 ? bounds.join(" ") : t("limit.share.any");
}

function sharesText({ capacity, shares = {}, default: others = {}, borrow }: Of<"share">): string {
    const parts = Object.entries(shares).map(([key, share]) => `${key} ${shareText(share)}`);
    const shared = few([...parts, t("limit.share.others", { share: shareText(others) })]);
    return listed([t("limit.share", { limit: capacity, shares: shared }), borrow ? t("limit.share.borrow") : ""].filter(Boolean));
}

export function windowText({ from, to, days, dates }: Window): string {
    const on = dates?.length ? few(dates) : days?.length && days.length < 7 ? few(days.map((day) => word("day", day))) : "";
    return [on, from || to ? `${from ?? "00:00"}–${to ?? "24:00"}` : ""].filter(Boolean).join(" ");
}

function windowsText({ allow = [], deny = [], tz = "UTC", on_close }: Of<"window">): string {
    const parts = [
        allow.length > 0 ? t("limit.window.only", { windows: few(allow.map(windowText)) }) : "",
        deny.length > 0 ? t("limit.window.not", { windows: few(deny.map(windowText)) }) : "",
        tz,
        on_close === "cancel" ? t("limit.window.cancels") : "",
    ];
    return listed(parts.filter(Boolean));
}

function setText({ priority, timeout, max_retry, backoff }: Of<"set">): string {
    const parts = [
        priority === undefined ? "" : t("limit.set.priority", { priority: String(priority) }),
        timeout === undefined ? "" : t("limit.set.timeout", { span: show.span(timeout) }),
        max_retry === undefined ? "" : t("limit.set.retries", { n: max_retry }),
        backoff?.base === undefined ? "" : t("limit.set.backoff", { span: show.span(backoff.base) }),
    ];
    return listed(parts.filter(Boolean));
}

export function limitText(constraint: Constraint): string {
    switch (constraint.kind) {
        case "rate":
            return rateText(constraint);
        case "concurrency": {
            const reserve = constraint.reserve_after;
            const parts = [
                t("limit.concurrency", { limit: constraint.limit }),
                cost(constraint.cost),
                reserve === undefined ? "" : t("limit.reserve", { span: show.span(reserve) }),
            ];
            return listed(parts.filter(Boolean));
        }
        case "share":
            return sharesText(constraint);
        case "window":
            return windowsText(constraint);
        case "pause": {
            const until = constraint.until ? t("limit.pause.until", { at: show.time(show.at(constraint.until)) }) : t("names.paused");
            return constraint.reason ? t("pair", { a: until, b: constraint.reason }) : until;
        }
        case "breaker": {
            const { failure_rate = 0.5, window = 60, open_for = 30 } = constraint;
            return t("limit.breaker", { share: show.percent(failure_rate), span: show.span(window), for: show.span(open_for) });
        }
        case "cooldown":
            return t("limit.cooldown", { span: show.span(constraint.max ?? 3600) });
        case "backlog":
            return t("limit.backlog", { limit: constraint.max_ready, overflow: word("overflow", constraint.overflow ?? "reject") });
        case "fair":
            return typeof constraint.weight === "string" ? t("limit.fair.weight", { weight: constraint.weight }) : t("limit.fair");
        case "set":
            return setText(constraint);
        default:
            return "";
    }
}

// With what else it says: for which keys it is, from when on, and how it is applied.
export function constraintText(constraint: Constraint): string {
    const by = "by" in constraint ? (constraint.by ?? []) : [];
    const exceptions = "overrides" in constraint ? Object.keys(constraint.overrides ?? {}).length : 0;
    const parts = [
        limitText(constraint),
        by.length > 0 ? t("limit.each", { key: by.map((each) => each.replace(/^job\.(argument\.)?/, "")).join(", ") }) : "",
        "on_missing" in constraint && constraint.on_missing === "exempt" ? t("limit.exempt") : "",
        exceptions > 0 ? t("limit.exceptions", { n: exceptions }) : "",
        constraint.expires_at ? t("strip.until", { at: show.time(show.at(constraint.expires_at)) }) : "",
    ];
    return parts.filter(Boolean).join(" · ");
}
