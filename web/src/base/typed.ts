// What people type: digits of any script, with separators or without, and spans such as "90", "1 h 30 m" and 「5分」.
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50];

function plain(text: string): string {
    return [...text.normalize("NFKC")]
        .map((sign) => {
            const code = sign.codePointAt(0) ?? 0;
            const zero = zeros.find((each) => code >= each && code < each + 10);
            return zero === undefined ? sign : String(code - zero);
        })
        .join("")
        .replace(/\u2060/g, "") // of a span that was copied from the page
        .replace(/[−–]/g, "-")
        .trim();
}

// NaN when it is no number.
export function parseNumber(text: string): number {
    const typed = plain(text);
    const joined = /^[-+]?\d{1,3}(?:[,_' ]\d{3})+(?:\.\d+)?$/.test(typed) ? typed.replace(/[,_' ]/g, "") : typed;
    return /^[-+]?(?:\d+(?:\.\d+)?|\.\d+)$/.test(joined) ? Number(joined) : NaN;
}

const seconds: Readonly<Record<string, number>> = {
    "ms": 0.001,
    "ミリ秒": 0.001,
    "s": 1,
    "sec": 1,
    "秒": 1,
    "m": 60,
    "min": 60,
    "分": 60,
    "h": 3600,
    "時間": 3600,
    "d": 86_400,
    "日": 86_400,
};

// Seconds; a number without a unit is of seconds. NaN when it is no span.
export function parseSpan(text: string): number {
    const bare = parseNumber(text);
    if (!Number.isNaN(bare)) return bare < 0 ? NaN : bare;
    const typed = plain(text).toLowerCase();
    const part = /(\d+(?:\.\d+)?)\s*([a-zぁ-んァ-ヶ一-龠]+)\s*/gy;
    let sum = 0;
    let end = 0;
    for (const [all, value, unit] of typed.matchAll(part)) {
        sum += Number(value) * (seconds[unit ?? ""] ?? NaN);
        end += all.length;
    }
    return end === typed.length && end > 0 ? Math.round(sum * 1000) / 1000 : NaN;
}

// A span as it can be typed, without loss.
export function spanText(span: number, units = { ms: "ms", s: "s", m: "m", h: "h", d: "d" }): string {
    if (!(span >= 1)) return `${Math.round(span * 1000)} ${units.ms}`;
    let rest = Math.round(span * 1000);
    const parts: string[] = [];
    for (const [unit, size] of [
        [units.d, 86_400_000],
        [units.h, 3_600_000],
        [units.m, 60_000],
    ] as const) {
        if (rest >= size) parts.push(`${Math.floor(rest / size)} ${unit}`);
        rest %= size;
    }
    if (rest > 0 || parts.length === 0) parts.push(`${rest / 1000} ${units.s}`);
    return parts.join(" ");
}
