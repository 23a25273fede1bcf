// The texts of the console: one catalogue for each language, of which one is loaded, in two parts: what the first screen may say, and the
// rest (build.py). A text has its parameters in braces; one that counts has a form for each plural of its language, chosen by `n`.
import { effect, signal } from "@preact/signals";
import type english from "../texts/en.json";
import { formatCount } from "./format";
import { language, type Language } from "./settings";
import type { Words } from "./wording";

export type Key = keyof typeof english;
type Text = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;
type Catalogue = Readonly<Record<string, Text>>;
export type Values = Readonly<Record<string, string | number>>;

type Loaders = Readonly<Record<Language, () => Promise<{ default: Catalogue }>>>;

const first: Loaders = {
    en: () => import("../../made/first.en.json"),
    ja: () => import("../../made/first.ja.json"),
};
const later: Loaders = {
    en: () => import("../../made/later.en.json"),
    ja: () => import("../../made/later.ja.json"),
};
// Of the sentences that the master writes in English. They come when one is first to be shown: the first screen has few.
const reasons: Partial<Record<Language, () => Promise<{ default: Words }>>> = { ja: () => import("../../made/reasons.ja.json") };
const catalogue = signal<{ language: Language; texts: Catalogue; whole: boolean }>({ language: "en", texts: {}, whole: false });
const said = signal<{ language: Language; words: Words } | undefined>(undefined);
const asked = new Map<Language, Promise<void>>();
const again_ms = 30_000;
let areReasonsWanted = false;
let isWholeWanted = false;

async function askReasons(wanted: Language): Promise<void> {
    try {
        const loaded = await reasons[wanted]?.();
        if (loaded && wanted === language.peek()) said.value = { language: wanted, words: loaded.default };
    } catch {
        // They are gone, as after an upgrade, or the connection is: the master's English stays until the next try.
        setTimeout(() => asked.delete(wanted), again_ms);
    }
}

// Done when the master's sentences can be read in the page's language.
export function loadReasons(): Promise<void> {
    areReasonsWanted = true;
    const wanted = language.peek();
    if (!reasons[wanted] || said.peek()?.language === wanted) return Promise.resolve();
    const known = asked.get(wanted) ?? askReasons(wanted);
    asked.set(wanted, known);
    return known;
}

export async function loadTexts(): Promise<void> {
    const wanted = language.value;
    const whole = isWholeWanted;
    const [early, rest] = await Promise.all([first[wanted](), whole ? later[wanted]() : undefined, areReasonsWanted && loadReasons()]);
    const known = catalogue.peek();
    if (wanted !== language.value || (known.language === wanted && known.whole)) return;
    catalogue.value = { language: wanted, texts: { ...early.default, ...rest?.default }, whole };
}

// Done when there are the texts of all screens.
export function loadAllTexts(): Promise<void> {
    isWholeWanted = true;
    return catalogue.peek().whole ? Promise.resolve() : loadTexts();
}

// `lost`: the texts of a language that was chosen cannot be loaded.
export function followLanguage(lost: () => void): void {
    effect(() => {
        if (language.value !== catalogue.value.language) loadTexts().catch(lost);
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

// None: they are in English, or not there yet.
export function reasonWords(): Words | undefined {
    const { language: tongue } = catalogue.value;
    if (said.value?.language === tongue) return said.value.words;
    void loadReasons();
    return undefined;
}

export function tongue(): Language {
    return catalogue.value.language;
}

// Several things in a sentence.
export function listed(parts: readonly string[]): string {
    return parts.join(t("list.between"));
}
