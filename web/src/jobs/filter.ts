// What is typed into a filter line: plain words, patterns of names, or an expression (docs/matchers.md). The same as in the window.
export function quoted(text: string): string {
    return `"${text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n").replace(/\r/g, "\\r").replace(/\t/g, "\\t")}"`;
}

interface Word {
    text: string;
    quoted: boolean;
}

// Splits at blanks. A part in double quotes is one word, without them.
function wordsOf(line: string): Word[] {
    return [...line.matchAll(/"([^"]+)"(?=\s|$)|\S+/gu)].map(([all, inner]) => ({ text: inner ?? all, quoted: inner !== undefined }));
}

const hasJoker = (text: string) => /[*?]/.test(text);

// Whether a word looks like a pattern of a name and not like a part of a sentence or of an error: "why?", "*ptr)", "*".
function isNamePattern(word: Word, alone: boolean): boolean {
    if (word.quoted || !hasJoker(word.text)) return false;
    if (!/^[\p{L}\p{M}\p{N}._:/@#*?-]*$/u.test(word.text) || !/[\p{L}\p{N}]/u.test(word.text)) return false;
    return alone || hasJoker(word.text.slice(0, -1)) || word.text.endsWith("*");
}

function namePattern(pattern: string): string {
    const condition = (call: string, text: string) => `job.name.${call}(${quoted(text)})`;
    const [opens, goesOn] = [pattern.startsWith("*"), pattern.endsWith("*")];
    const inner = pattern.slice(opens ? 1 : 0, goesOn && pattern.length > 1 ? -1 : undefined);
    if (!hasJoker(inner)) return condition(opens && goesOn ? "contains" : opens ? "endsWith" : "startsWith", inner);
    // RE2 refuses a backslash before a letter of any script.
    const signs = pattern.replace(/[\\.+()[\]{}|^$]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, ".");
    return condition("matches", `^${signs}$`);
}

const text = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
const bareName = /^job[\w.:/-]*$/; // a name such as job.nightly, or the first half of an expression
const whole = /^job\.(keep_result$|argument\.)/; // is one by itself
const first = String.raw`job(\.\w+|\[[^\]]*\])+|\[[^\]]*\]|-?\d[\w.]*|true\b|false\b|null\b|""`;
const start = new RegExp(String.raw`^[!(\s-]*(\w+\(|(${first})(\.\w+)*\s*([=!<>&|?(+*/%-]|in\b))`);

function isExpression(line: string): boolean {
    const bare = line.replace(text, '""'); // nothing of a text counts
    if (!/(^|[^\w.])job\s*[.[]/.test(bare)) return false;
    return bareName.test(bare) ? whole.test(bare) : start.test(bare);
}

// For the words in the list `words` of an expression: what the list that is searched can be asked for.
const searches = {
    jobs:
        "job.name.contains(word) || has(job.message) && job.message.contains(word) || word in job.tags || job.id.startsWith(word)" +
        " || type(job.argument) == string && job.argument.contains(word)" +
        " || job.argument.exists(key, string(key).contains(word) || string(job.argument[key]).contains(word))",
    failures:
        "job.name.contains(word) || has(job.message) && job.message.contains(word) || has(job.worker) && job.worker.contains(word)",
};
// A pause stops what it names and no more: its words are whole names.
export type Searched = keyof typeof searches | "pauses";

// Whether a plain search has a pattern of a name.
export function hasPattern(typed: string): boolean {
    const all = wordsOf(typed);
    return all.some((word) => isNamePattern(word, all.length === 1));
}

// The expression of a plain search; empty when the line is none.
export function plainSearch(typed: string, searched: Searched = "jobs"): string {
    const line = typed.trim();
    if (line === "" || isExpression(line)) return "";
    const all = wordsOf(line);
    const isPattern = hasPattern(line);
    const conditions: string[] = [];
    const words = new Set<string>();
    for (const word of all) {
        if (isPattern && !word.quoted && hasJoker(word.text)) conditions.push(namePattern(word.text));
        else words.add(quoted(word.text));
    }
    const list = `[${[...words].join(", ")}]`;
    if (searched === "pauses" && words.size > 0) conditions.push(words.size === 1 ? `job.name == ${[...words][0]}` : `job.name in ${list}`);
    else if (words.size > 0) conditions.push(`${list}.all(word, ${searches[searched as keyof typeof searches]})`);
    return conditions.join(" && ");
}

export function matchOf(typed: string, searched: Searched = "jobs"): string {
    return plainSearch(typed, searched) || typed.trim();
}
