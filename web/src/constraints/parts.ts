// The parts of a JobMatcher in words.
import { t, word } from "../base/text";
import { limitOf } from "./merge";

export function partName(key: string): string {
    const limit = limitOf(key);
    return limit === undefined ? word("part", key) : t("part.limit", { id: limit });
}

export function partText(value: unknown): string {
    if (value === undefined) return t("part.gone");
    if (typeof value === "string") return value;
    if (typeof value === "boolean") return t(value ? "yes" : "no");
    return JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
}
