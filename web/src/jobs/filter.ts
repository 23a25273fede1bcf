// What is typed into the filter line: plain words, a pattern of names, or an expression (docs/matchers.md). The same as in the window.
function quoted(text: string): string {
    return `"${text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n").replace(/\r/g, "\\r").replace(/\t/g, "\\t")}"`;
}

// What has one of these wants to be an expression.
const signs = /[=<>!&|()[\]{}"'+,]/;

// The expression of a plain search; empty when the text is none.
export function plainSearch(text: string): string {
    const word = text.trim();
    if (word === "" || signs.test(word) || word.startsWith("job.")) return "";
    const joker = word.search(/[*?]/);
    if (joker < 0) {
        const q = quoted(word);
        return (
            `job.name.contains(${q}) || has(job.message) && job.message.contains(${q}) || ${q} in job.tags || job.id.startsWith(${q})` +
            ` || type(job.argument) == string && job.argument.contains(${q})` +
            ` || job.argument.exists(key, string(job.argument[key]).contains(${q}))`
        );
    }
    if (joker === word.length - 1 && word.endsWith("*")) return `job.name.startsWith(${quoted(word.slice(0, -1))})`;
    const pattern = word
        .replace(/[^\p{L}\p{N}_*?]/gu, "\\$&")
        .replace(/\*/g, ".*")
        .replace(/\?/g, ".");
    return `job.name.matches(${quoted(`^${pattern}$`)})`;
}

export function matchOf(text: string): string {
    return plainSearch(text) || text.trim();
}
