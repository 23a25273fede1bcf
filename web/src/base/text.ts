// The texts of the console: one catalogue for each language, of which one is loaded. A text has its parameters in braces; one that counts
// has a form for each plural of its language, chosen by `n`.
import { effect, signal } from "@preact/signals";
import type english from "../texts/en.json";
import { formatCount } from "./format";
import { language, type Language } from "./settings";
import type { Words } from "./wording";

export type Key = keyof typeof english;
type Text = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;
type Catalogue = Readonly<Record<string, Text>>;
export type Values = Readonly<Record<string, string | number>>;

const loaders: Record<Language, () => Promise<{ default: Catalogue }>> = {
    en: () => import("../texts/en.json"),
    ja: () => import("../texts/ja.json"),
};
// Of the sentences that the master writes in English.
const reasons: Partial<Record<Language, () => Promise<{ default: Words }>>> = { ja: () => import("../../made/reasons.ja.json") };
const catalogue = signal<{ language: Language; texts: Catalogue; reasons?: Words }>({ language: "en", texts: {} });

export async function loadTexts(): Promise<void> {
    const wanted = language.value;
    const [texts, said] = await Promise.all([loaders[wanted](), reasons[wanted]?.()]);
    if (wanted === language.value) catalogue.value = { language: wanted, texts: texts.default, reasons: said?.default };
}

export function followLanguage(): void {
    effect(() => {
        if (language.value !== catalogue.value.language) void loadTexts();
    });
}

export function fill(text: Text, values: Values, tongue: string): string {
    let form = typeof text === "string" ? text : undefined;
    if (typeof text !== "string") {
        const rule = new Intl.PluralRules(tongue).select(Number(values["n"] ?? 0));
        form = text[rule] ?? text.other;
    }
    return (form ?? "").replace(/\{(\w+)\}/g, (_, name: string) => {
        const value = values[name];
        return typeof value === "number" ? formatCount(value, tongue) : (value ?? "");
    });
}

export function t(key: Key, values: Values = {}): string {
    const { language: tongue, texts } = catalogue.value;
    return fill(texts[key] ?? key, values, tongue);
}

// A word of the master, like a state or a kind: the key `prefix.word`, or the word itself when the catalogue does not know it.
export function word(prefix: string, of: string): string {
    const { language: tongue, texts } = catalogue.value;
    const text = texts[`${prefix}.${of}`];
    return text === undefined ? of : fill(text, {}, tongue);
}

export function reasonWords(): Words | undefined {
    return catalogue.value.reasons;
}

export function tongue(): Language {
    return catalogue.value.language;
}

// Several things in a sentence.
export function listed(parts: readonly string[]): string {
    return parts.join(t("list.between"));
}
