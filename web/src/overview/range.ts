// The ranges of the chart: the last minutes, hours or days, or one that ended before now, which the address has with its end.
export const ranges = ["5m", "1h", "3h", "24h", "8d"] as const;
export type Range = (typeof ranges)[number];

export interface Past {
    readonly from_ms: number;
    readonly to_ms: number;
}

// Nothing: the range ends now, or the address says nothing that can be shown.
export function past(range: string, until: string): Past | undefined {
    const to_ms = Date.parse(until);
    const unit = { s: 1, m: 60, h: 3600, d: 86_400 }[/[smhd]$/.exec(range)?.[0] ?? "s"] ?? 1;
    const span_s = /^\d{1,6}[smhd]?$/.test(range) ? parseInt(range, 10) * unit : NaN;
    return Number.isNaN(to_ms) || !(span_s >= 1) ? undefined : { from_ms: to_ms - span_s * 1000, to_ms };
}

function dayStart(at_ms: number, utc: boolean): number {
    const day = new Date(at_ms);
    return utc ? day.setUTCHours(0, 0, 0, 0) : day.setHours(0, 0, 0, 0);
}

// The day before, which has 23 or 25 hours where the clocks change.
export function yesterday(now_ms: number, utc: boolean): { range: string; until: string } {
    const to_ms = dayStart(now_ms, utc);
    const from_ms = dayStart(to_ms - 1, utc);
    return { range: String((to_ms - from_ms) / 1000), until: new Date(to_ms).toISOString() };
}
