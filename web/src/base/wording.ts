// Sentences of the master in the reader's language: worded by the name of their reason and its values (docs/reasons.md).

// A language: made by build.py of resources/i18n and of the types in the catalogue.
export interface Words {
    words: Readonly<Record<string, string>>;
    patterns: Readonly<Record<string, string>>;
    reasons: Readonly<Record<string, string>>; // a value is {name:type}
}
export interface Reader {
    tongue: string;
    words: Words;
    time(at_ms: number): string;
}
type Map = Readonly<Record<string, unknown>>;

const isMap = (value: unknown): value is Map => typeof value === "object" && value !== null && !Array.isArray(value);
const own = (map: Readonly<Record<string, string>>, key: string) => (Object.hasOwn(map, key) ? map[key] : undefined);
const sentences = ["detail", "message", "fault"]; // the members of an answer that have one
const isExplained = (map: Map): map is Map & { reason: string; values: Map } => typeof map["reason"] === "string" && isMap(map["values"]);

function put(reader: Reader, pattern: string, value: string): string {
    return (own(reader.words.patterns, pattern) ?? "{value}").replace("{value}", () => value);
}

function numbered(reader: Reader, type: string, value: number): string {
    const format = (count: number) => new Intl.NumberFormat(reader.tongue, { maximumSignificantDigits: 15 }).format(count);
    if (type === "digits") return String(value);
    if (type === "seconds") return put(reader, type, format(value));
    if (type !== "bytes") return format(value);
    if (value >= 1_048_576 && value % 1_048_576 === 0) return put(reader, "mib", format(value / 1_048_576));
    if (value >= 1024 && value % 1024 === 0) return put(reader, "kib", format(value / 1024));
    return put(reader, type, format(value));
}

function shown(reader: Reader, type: string, value: unknown): string {
    if (isMap(value)) return (isExplained(value) && worded(reader, value)) || String(value["detail"] ?? "");
    if (Array.isArray(value)) {
        const parts = value.map((each) => (type === "choice" ? put(reader, "choice", String(each)) : String(each)));
        const last = own(reader.words.patterns, type === "choice" ? "or" : "and") ?? ", ";
        return [parts.slice(0, -1).join(own(reader.words.patterns, "comma")), ...parts.slice(-1)].filter((each) => each !== "").join(last);
    }
    if (typeof value === "number") return numbered(reader, type, value);
    const text = String(value);
    if (type === "field") return text === "" ? put(reader, "request", "") : put(reader, "field", text);
    if (type === "word") return own(reader.words.words, text) ?? text;
    if (type === "time" && !Number.isNaN(Date.parse(text))) return reader.time(Date.parse(text));
    return text;
}

// None: the language has no such sentence, as of a newer master.
export function worded(reader: Reader, { reason, values }: { reason: string; values: Map }): string | undefined {
    return own(reader.words.reasons, reason)?.replace(/\{(\w+):(\w+)\}/g, (place, name: string, type: string) =>
        Object.hasOwn(values, name) ? shown(reader, type, values[name]) : place,
    );
}

// Lets each English sentence of an answer that has a reason be read in the language of `reader`, which may change; none: English.
export function translated<T>(answer: T, reader: () => Reader | undefined): T {
    if (Array.isArray(answer)) {
        for (const each of answer) translated(each, reader);
    } else if (isMap(answer)) {
        for (const each of Object.values(answer)) translated(each, reader);
        if (isExplained(answer)) {
            const said = answer;
            for (const name of sentences) {
                const english = said[name];
                if (typeof english !== "string") continue;
                const get = () => {
                    const now = reader();
                    return (now && worded(now, said)) ?? english;
                };
                Object.defineProperty(answer, name, { get, enumerable: true, configurable: true });
            }
        }
    }
    return answer;
}
