// JSON as the master sends it, without losing anything: JSON.parse rounds integers above 2^53, makes 1 of 1.0, and puts keys that are
// numbers first. A value under one of `raw` stays text until somebody looks at it (tree.ts); other numbers that JavaScript cannot hold
// become texts.

// A JSON value as it was written.
export class Raw {
    constructor(readonly text: string) {}
    // A key of an answer that only happens to have such a name, like a limit for the key "error", is sent back as a value.
    toJSON(): unknown {
        return parseExact(this.text);
    }
}

const rawKeys = new Set(["argument", "result", "error", "details", "before", "after"]);

const space = /[ \t\n\r]*/y;
const string = /"(?:[^"\\]|\\.)*"/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null/y;

export class Reader {
    at = 0;
    constructor(readonly text: string) {}

    skip(): string | undefined {
        space.lastIndex = this.at;
        space.test(this.text);
        this.at = space.lastIndex;
        return this.text[this.at];
    }

    take(pattern: RegExp): string {
        pattern.lastIndex = this.at;
        const found = pattern.exec(this.text);
        if (!found) throw new SyntaxError(`no JSON at ${this.at}`);
        this.at = pattern.lastIndex;
        return found[0];
    }

    key(): string {
        this.skip();
        const key = JSON.parse(this.take(string)) as string;
        this.expect(":");
        return key;
    }

    string(): string {
        return JSON.parse(this.take(string)) as string;
    }

    scalar(): string {
        return this.take(scalar);
    }

    expect(sign: string): void {
        if (this.skip() !== sign) throw new SyntaxError(`no ${sign} at ${this.at}`);
        ++this.at;
    }

    // Calls `each` for the elements of what begins with `open`.
    elements(open: string, close: string, each: () => void): void {
        this.expect(open);
        if (this.skip() === close) {
            ++this.at;
            return;
        }
        for (;;) {
            each();
            const sign = this.skip();
            if (sign !== close && sign !== ",") throw new SyntaxError(`no JSON at ${this.at}`);
            ++this.at;
            if (sign === close) return;
        }
    }

    end(): void {
        if (this.skip() !== undefined) throw new SyntaxError(`more than one JSON value at ${this.at}`);
    }
}

// Past one value.
function pass(reader: Reader): void {
    const sign = reader.skip();
    if (sign === "{") {
        reader.elements("{", "}", () => {
            reader.key();
            pass(reader);
        });
    } else if (sign === "[") {
        reader.elements("[", "]", () => pass(reader));
    } else if (sign === '"') {
        reader.take(string);
    } else {
        reader.scalar();
    }
}

function number(text: string): number | string {
    const value = Number(text);
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? text : value;
}

function value(reader: Reader, raw: boolean): unknown {
    const sign = reader.skip();
    if (raw) {
        const from = reader.at;
        pass(reader);
        return new Raw(reader.text.slice(from, reader.at));
    }
    if (sign === "{") {
        const map: Record<string, unknown> = Object.create(null) as Record<string, unknown>; // a key may be __proto__
        reader.elements("{", "}", () => {
            const key = reader.key();
            map[key] = value(reader, rawKeys.has(key));
        });
        return map;
    }
    if (sign === "[") {
        const list: unknown[] = [];
        reader.elements("[", "]", () => list.push(value(reader, false)));
        return list;
    }
    if (sign === '"') return reader.string();
    const text = reader.scalar();
    return text === "true" ? true : text === "false" ? false : text === "null" ? null : number(text);
}

export function parseExact(text: string): unknown {
    const reader = new Reader(text);
    const found = value(reader, false);
    reader.end();
    return found;
}

export type RawMap = Readonly<Record<string, Raw>>;

// The values of a map as they were written; undefined: it is none.
export function rawMap(text: string): RawMap | undefined {
    if (!text.trim().startsWith("{") || faultIn(text)) return undefined;
    const reader = new Reader(text);
    const map = Object.create(null) as Record<string, Raw>;
    reader.elements("{", "}", () => {
        const key = reader.key();
        map[key] = value(reader, true) as Raw;
    });
    return map;
}

// As JSON.parse: no control character and no unknown escape in a text.
function passStrictly(reader: Reader): void {
    const sign = reader.skip();
    const text = () => {
        reader.skip();
        const from = reader.at;
        const found = reader.take(string);
        try {
            JSON.parse(found);
        } catch (error) {
            reader.at = from;
            throw error;
        }
    };
    if (sign === "{") {
        reader.elements("{", "}", () => {
            text();
            reader.expect(":");
            passStrictly(reader);
        });
    } else if (sign === "[") {
        reader.elements("[", "]", () => passStrictly(reader));
    } else if (sign === '"') {
        text();
    } else {
        reader.scalar();
    }
}

// Where a text stops to be one JSON value; undefined: it is one.
export function faultIn(text: string): { line: number; column: number } | undefined {
    const reader = new Reader(text);
    try {
        passStrictly(reader);
        reader.end();
        return undefined;
    } catch {
        const before = text.slice(0, reader.at);
        const start = before.lastIndexOf("\n") + 1;
        return { line: before.split("\n").length, column: [...before.slice(start)].length + 1 };
    }
}

// The text of a value for a request: what was kept as it was written stays so.
export function exactJson(value: unknown): string {
    if (value instanceof Raw) return value.text;
    if (Array.isArray(value)) return `[${value.map(exactJson).join(",")}]`;
    if (typeof value === "object" && value !== null) {
        const entries = Object.entries(value).filter(([, each]) => each !== undefined);
        return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${exactJson(each)}`).join(",")}}`;
    }
    return JSON.stringify(value);
}
