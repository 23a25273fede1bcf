// The parts of a JobMatcher in words.
import type { Schemas } from "../base/api";
import { t, word } from "../base/text";
import { constraintText } from "./limittext";
import { limitOf } from "./merge";

export function partName(key: string): string {
    const limit = limitOf(key);
    return limit === undefined ? word("part", key) : t("part.limit", { id: limit });
}

// In words; the two sides of a difference that words hide are shown as they are saved.
export function partTexts(before: unknown, after: unknown): readonly [string, string] {
    const [was, is] = [partText(before), partText(after)];
    return was === is ? [exactText(before), exactText(after)] : [was, is];
}

const isConstraint = (value: unknown): value is Schemas["Constraint"] => typeof value === "object" && value !== null && "kind" in value;
const exactText = (value: unknown) => (value === undefined ? t("part.gone") : JSON.stringify(value, null, 1).replace(/\n\s*/g, " "));

export function partText(value: unknown): string {
    if (value === undefined) return t("part.gone");
    if (typeof value === "string") return value;
    if (typeof value === "boolean") return t(value ? "yes" : "no");
    if (isConstraint(value)) return t("pair", { a: word("kind", value.kind), b: constraintText(value) });
    return exactText(value);
}
