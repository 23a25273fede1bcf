// Numbers, times and durations for people. Texts with words are in the catalogues.
const formats = new Map<string, Intl.NumberFormat>();

function numbers(tongue: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
    const key = tongue + JSON.stringify(options);
    let made = formats.get(key);
    if (!made) formats.set(key, (made = new Intl.NumberFormat(tongue, options)));
    return made;
}

export function formatCount(value: number, tongue: string): string {
    return numbers(tongue, { maximumFractionDigits: 0 }).format(value);
}

// 124万 is one word: a Japanese line could end within it.
const joined = (text: string) => text.replace(/(\d)(?=[^\0-\x7f])/g, "$1\u2060");

// For tiles and tabs: 12,480, but 1.24M.
export function formatShort(value: number, tongue: string): string {
    return value < 100_000
        ? formatCount(value, tongue)
        : joined(numbers(tongue, { notation: "compact", maximumSignificantDigits: 4 }).format(value));
}

export function formatDecimal(value: number, tongue: string, digits: number): string {
    return numbers(tongue, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}

export function formatPercent(value: number, tongue: string): string {
    return numbers(tongue, { style: "percent", maximumFractionDigits: 0 }).format(value);
}

// A size or a span is never broken into two lines.
export const unbroken = (text: string) => text.replaceAll(" ", "\u00a0");

export function formatBytes(size: number, tongue: string): string {
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let unit = 0;
    let value = size;
    while (value >= 1024 && unit < units.length - 1) {
        value /= 1024;
        ++unit;
    }
    return unbroken(`${formatDecimal(value, tongue, unit === 0 ? 0 : 1)} ${units[unit] ?? ""}`);
}

const two = (value: number) => String(value).padStart(2, "0");

export interface Moment {
    date: string; // 2026-01-02
    time: string; // 03:04:05
    millis: string; // 678
    zone: string; // UTC+9
}

export function momentOf(at_ms: number, utc: boolean): Moment {
    const at = new Date(at_ms);
    const offset_min = utc ? 0 : -at.getTimezoneOffset();
    const shifted = new Date(at_ms + offset_min * 60_000);
    const minutes = Math.abs(offset_min) % 60;
    const zone =
        offset_min === 0
            ? "UTC"
            : `UTC${offset_min > 0 ? "+" : "−"}${Math.floor(Math.abs(offset_min) / 60)}${minutes ? `:${two(minutes)}` : ""}`;
    return {
        date: `${shifted.getUTCFullYear()}-${two(shifted.getUTCMonth() + 1)}-${two(shifted.getUTCDate())}`,
        time: `${two(shifted.getUTCHours())}:${two(shifted.getUTCMinutes())}:${two(shifted.getUTCSeconds())}`,
        millis: String(shifted.getUTCMilliseconds()).padStart(3, "0"),
        zone,
    };
}

export interface Units {
    ms: string;
    s: string;
    m: string;
    h: string;
    d: string;
}

// 320 ms, 4.2 s, 38 s, 2 m 05 s, 3 h 12 m, 4 d 7 h.
function spaced(span_ms: number, units: Units, tongue: string): string {
    let span = Math.max(0, span_ms);
    if (span < 1000) return `${Math.round(span)} ${units.ms}`;
    if (span < 9_950) return `${formatDecimal(span / 1000, tongue, 1)} ${units.s}`;
    const smallest = span < 3_600_000 ? 1000 : span < 86_400_000 ? 60_000 : 3_600_000;
    span = Math.round(span / smallest) * smallest;
    if (span < 60_000) return `${span / 1000} ${units.s}`;
    if (span < 3_600_000) return `${Math.floor(span / 60_000)} ${units.m} ${two((span % 60_000) / 1000)} ${units.s}`;
    if (span < 86_400_000) return `${Math.floor(span / 3_600_000)} ${units.h} ${two(Math.floor((span % 3_600_000) / 60_000))} ${units.m}`;
    return `${Math.floor(span / 86_400_000)} ${units.d} ${Math.floor((span % 86_400_000) / 3_600_000)} ${units.h}`;
}

export function durationText(span_ms: number, units: Units, tongue: string): string {
    return unbroken(spaced(span_ms, units, tongue));
}

// An age steps by seconds, then by ten seconds, so that a table does not flicker.
export function steady(span_ms: number): number {
    const span = Math.max(0, span_ms);
    return span < 60_000 ? Math.floor(span / 1000) * 1000 : span < 3_600_000 ? Math.floor(span / 10_000) * 10_000 : span;
}
