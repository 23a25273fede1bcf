// Formats in the language, the time zone and by the clock of this page.
import * as format from "./format";
import { serverNow } from "./clock";
import { zone } from "./settings";
import { reasonWords, t, tongue, word } from "./text";
import { spanText } from "./typed";
import type { Reader } from "./wording";

const isUtc = () => zone.value === "utc";

export const count = (value: number) => format.formatCount(value, tongue());
export const short = (value: number) => format.formatShort(value, tongue());
export const bytes = (size: number) => format.formatBytes(size, tongue());
export const percent = (value: number) => format.formatPercent(value, tongue());

export function rate(perSecond: number): string {
    if (perSecond > 0 && perSecond < 0.1) return t("rate.minute", { value: format.formatDecimal(perSecond * 60, tongue(), 1) });
    return t("rate.second", { value: format.formatDecimal(perSecond, tongue(), perSecond > 0 && perSecond < 10 ? 1 : 0) });
}

const units = (): format.Units => ({ ms: t("unit.ms"), s: t("unit.s"), m: t("unit.m"), h: t("unit.h"), d: t("unit.d") });

export function duration(span_ms: number): string {
    return format.durationText(span_ms, units(), tongue());
}

// Without loss.
export function span(span_s: number): string {
    return format.unbroken(spanText(span_s, units()));
}

export function age(span_ms: number): string {
    const span = format.steady(span_ms);
    return span < 60_000 ? format.unbroken(`${span / 1000} ${t("unit.s")}`) : duration(span);
}

const periods = { 1: "second", 60: "minute", 3600: "hour", 86400: "day" } as const;
const periodOf = (span_s: number) => (Object.hasOwn(periods, span_s) ? periods[span_s as keyof typeof periods] : undefined);

// A limit of starts: "20 per second", "5 per 10 s".
export function limitRate(limit: number, period_s: number): string {
    const period = periodOf(period_s);
    return period ? t(`limit.per.${period}`, { limit }) : t("limit.rate", { limit, period: span(period_s) });
}

// "every minute", "every 90 s"; whole units where there is one: "every 90 minutes".
export function interval(every_s: number): string {
    const period = periodOf(every_s);
    if (period) return t(`every.${period}`);
    for (const [size, unit] of [
        [86400, "days"],
        [3600, "hours"],
        [60, "minutes"],
        [1, "seconds"],
    ] as const) {
        if (every_s % size === 0) return t(`every.${unit}`, { n: every_s / size });
    }
    return t("schedules.every", { span: span(every_s) });
}

// With the date when it is not today.
export function time(at_ms: number): string {
    const at = format.momentOf(at_ms, isUtc());
    const today = format.momentOf(serverNow(), isUtc()).date;
    return `${at.date === today ? "" : `${at.date} `}${at.time} ${at.zone}`;
}

// When something was edited last, and by whom.
export function edited(at_text: string, by: string | undefined): string {
    return t("gatetext.edited", { at: time(at(at_text)), by: word("actor", by ?? "") });
}

export function exact(at_ms: number): string {
    const at = format.momentOf(at_ms, isUtc());
    return `${at.date} ${at.time}.${at.millis} ${at.zone}`;
}

export function at(text: string | undefined): number {
    return text === undefined ? 0 : Date.parse(text);
}

// For sentences of the master; none: they are in English, as the master writes them, at least until those of the language are there.
export function reader(): Reader | undefined {
    const words = reasonWords();
    return words && { tongue: tongue(), words, time };
}
