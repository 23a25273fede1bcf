// What of the console is pure: JSON without loss, trees, the filter line, merging of lists, long lists, formats, addresses, sentences.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";

const built = process.env.JUNBAN_WEB_BUILT;
const { build } = createRequire(join(built, "package.json"))("esbuild");
const folder = mkdtempSync(join(tmpdir(), "junban-pure-"));
const load = async (source) => {
    const outfile = join(folder, `${source.replaceAll("/", "-")}.mjs`);
    await build({
        entryPoints: [join(built, "src", `${source}.ts`)],
        outfile,
        bundle: true,
        format: "esm",
        platform: "node",
        logLevel: "error",
    });
    return import(pathToFileURL(outfile));
};

let json, tree, filter, merging, rows, format, typed, both, edits, fields, backoff;
before(async () => {
    [json, tree, filter, merging, rows, format, typed, both, edits, fields, backoff] = await Promise.all(
        [
            "base/json",
            "base/tree",
            "jobs/filter",
            "jobs/merge",
            "base/rows",
            "base/format",
            "base/typed",
            "base/merge",
            "constraints/merge",
            "constraints/fields",
            "base/backoff",
        ].map(load),
    );
});
after(() => rmSync(folder, { recursive: true }));

test("a payload keeps its text: numbers, order and key names", () => {
    const text = '{"b": 1.0, "10": 9007199254740993, "2": -0, "__proto__": {"x": 1e400}, "s": "a\\"\\u0041"}';
    const read = json.parseExact(`{"id": "x", "argument":  ${text} , "priority": -5, "n": 9007199254740993}`);
    assert.equal(read.argument.text, text);
    assert.equal(read.priority, -5);
    assert.equal(read.n, "9007199254740993");
    const node = tree.treeOf(text);
    assert.deepEqual(
        node.children.map((each) => each.key),
        ["b", "10", "2", "__proto__", "s"],
    );
    assert.deepEqual(node.children[0].node, { kind: "float", text: "1.0" });
    assert.deepEqual(node.children[1].node, { kind: "integer", text: "9007199254740993" });
    assert.equal(tree.written(node), '{"b": 1.0, "10": 9007199254740993, "2": -0, "__proto__": {"x": 1e400}, "s": "a\\"A"}');
    assert.deepEqual(JSON.parse(tree.indented(text)), JSON.parse(text));
    assert.match(tree.indented(text), /"b": 1\.0,\n/);
});

test("a key that is __proto__ changes no prototype", () => {
    const read = json.parseExact('{"__proto__": {"polluted": true}}');
    assert.equal({}.polluted, undefined);
    assert.deepEqual(Object.keys(read), ["__proto__"]);
});

test("what JSON does not have is a leaf of its kind", () => {
    assert.deepEqual(tree.treeOf('{"$bin": "AAE="}'), { kind: "bytes", text: "AAE=" });
    assert.deepEqual(tree.treeOf('{"$float": "NaN"}'), { kind: "float", text: "NaN" });
    assert.deepEqual(
        tree.treeOf('{"$map": [[1, "a"], [null, 2]]}').children.map((each) => each.key),
        ["1", "null"],
    );
    assert.equal(tree.treeOf('{"$bin": "AAE=", "more": 1}').kind, "map");
});

test("JSON that is none is refused", () => {
    for (const text of ["", "{", "[1,]", '{"a" 1}', "1 2", "nul", '"\u0001']) assert.throws(() => json.parseExact(text), SyntaxError, text);
});

test("plain words, patterns and expressions", () => {
    assert.match(filter.matchOf(" timeout "), /^\["timeout"\]\.all\(word, job\.name\.contains\(word\) \|\| has\(job\.message\)/);
    assert.match(filter.matchOf('no  "to host" 東京 no'), /^\["no", "to host", "東京"\]\.all\(/);
    assert.match(filter.matchOf("a\\b"), /"a\\\\b"/);
    assert.match(filter.matchOf("x", "failures"), /job\.worker\.contains/);
    // A pause stops what it names, and no more.
    assert.equal(filter.matchOf("mail.send", "pauses"), 'job.name == "mail.send"');
    assert.equal(filter.matchOf("a b", "pauses"), 'job.name in ["a", "b"]');
    assert.equal(filter.matchOf("mail.*", "pauses"), 'job.name.startsWith("mail.")');
    for (const [pattern, meant] of [
        ["mail.*", 'job.name.startsWith("mail.")'],
        ["*.send", 'job.name.endsWith(".send")'],
        ["*mail*", 'job.name.contains("mail")'],
        ["a.*.z?", 'job.name.matches("^a\\\\..*\\\\.z.$")'],
        ["メール*", 'job.name.startsWith("メール")'],
    ])
        assert.equal(filter.matchOf(pattern), meant);
    assert.match(filter.matchOf("mail.* tenant 42"), /^job\.name\.startsWith\("mail\."\) && \["tenant", "42"\]\.all\(/);
    for (const expression of [
        "job.priority > 3",
        "job.priority > > 3",
        '"urgent" in job.tags',
        "!(job.name == 'a b')",
        "size(job.tags) > 0",
        "has(job.message) && job.message.contains('x')",
        'job.name in ["a", "b"]',
        "3 < job.priority",
        "job.argument.flag",
        "job.argument['a b'] == 1",
        '(["a"].all(word, job.name.contains(word))) && job.priority > 3',
    ])
        assert.equal(filter.matchOf(expression), expression);
    const plain = ["job.nightly", "why? how?", "*ptr) at 0x0", "(a && b) failed", "the job.name is empty"];
    for (const words of [...plain, "Cannot read 'job.name' of null"])
        assert.match(filter.matchOf(words), /\.all\(word, /, words);
});

const job = (id, more = {}) => ({ id, name: id, ...more });
const ids = (merged) => merged.rows.map((row) => row.job.id + (row.ghost ? "†" : "")).join(" ");

test("a list takes new rows up, and keeps those that are selected as ghosts", () => {
    const first = merging.merge([], [job("a"), job("b"), job("c")], new Set(), false);
    assert.equal(ids(first), "a b c");
    assert.equal(ids(merging.merge(first.rows, [job("n"), job("a"), job("c")], new Set(["b"]), false)), "n a b† c");
    assert.equal(ids(merging.merge(first.rows, [job("c")], new Set(["a"]), false)), "a† c");
});

test("rows do not move under the pointer", () => {
    const first = merging.merge([], [job("a"), job("b"), job("c")], new Set(), false);
    const held = merging.merge(first.rows, [job("n"), job("c", { state: "failed" }), job("a")], new Set(), true);
    assert.equal(ids(held), "a b† c");
    assert.equal(held.waiting, 1);
    assert.equal(held.rows[2].job.state, "failed");
});

test("a million rows are reached from end to end in a height that a browser has", () => {
    const frame = { rows: 1_000_000, row_px: 34, view_px: 800 };
    const high = rows.height(frame);
    assert.ok(high <= 8_000_000);
    let now = rows.top;
    now = rows.scrolled(frame, now, high - frame.view_px);
    assert.equal(rows.drawn(frame, now).to, 1_000_000);
    now = rows.scrolled(frame, now, 0);
    assert.equal(rows.drawn(frame, now).from, 0);
    now = rows.scrolled(frame, now, (high - frame.view_px) / 2);
    const middle = rows.drawn(frame, now);
    assert.ok(Math.abs(middle.from - 500_000) < 100, String(middle.from));
    const near = rows.drawn(frame, rows.scrolled(frame, now, now.scroll_px + 68));
    assert.ok(near.from - middle.from >= 1 && near.from - middle.from <= 3); // a small movement goes by pixels
    assert.ok(middle.to - middle.from < 60);
    const shown = rows.reveal(frame, now, 999_999);
    assert.equal(rows.drawn(frame, shown).to, 1_000_000);
    assert.ok(shown.scroll_px <= high - frame.view_px);
});

const japanese = () => ({
    tongue: "ja",
    words: JSON.parse(readFileSync(join(built, "made", "reasons.ja.json"), "utf8")),
    time: (at_ms) => new Date(at_ms).toISOString(),
});

test("every sentence of the master is worded, whatever its values are", async () => {
    const wording = await load("base/wording");
    const reader = japanese();
    const values = {
        field: ["", "jobs[3].priority", "{name}$&<img src=x>"],
        number: [0, -1, Number.MAX_SAFE_INTEGER, "9223372036854775807", 0.1, -1e300],
        digits: [0, 65535],
        seconds: [0, 0.5, 31_536_000],
        bytes: [1, 1024, 1_048_576, 1_048_577],
        time: ["2026-01-02T03:04:05.678Z", "soon"],
        list: [[], ["a"], ["a", "b", "c"]],
        choice: [[], ["a"], ["a", "b", "c"]],
        reason: [
            { reason: "field_required", values: { field: "a" }, detail: "'a' is required." },
            { reason: "newer", values: {}, detail: "Newer." },
        ],
        other: ["", "a", "%1 {b}"],
        word: ["map", "newer_word"],
    };
    const names = Object.keys(reader.words.reasons);
    assert.ok(names.length > 500, String(names.length));
    for (const reason of names) {
        const places = [...reader.words.reasons[reason].matchAll(/\{(\w+):(\w+)\}/g)];
        for (let turn = 0; turn < 6; ++turn) {
            const of = (type) => values[type] ?? values.other;
            const given = Object.fromEntries(places.map(([, name, type]) => [name, of(type)[turn % of(type).length]]));
            const text = wording.worded(reader, { reason, values: given });
            assert.doesNotMatch(text, /undefined|NaN(?!")|\[object|\{\w+:\w+\}|\{value\}/, reason);
        }
        assert.match(wording.worded(reader, { reason, values: {} }), /[ぁ-んァ-ン一-龠]/, reason);
    }
});

test("a sentence follows the language, and one that is not known stays English", async () => {
    const wording = await load("base/wording");
    let reader;
    const english = "'timeout' must be 1 to 86,400 seconds; it was 0.";
    const known = { reason: "seconds_out_of_range", values: { field: "timeout", min: 1, max: 86_400, value: 0 }, detail: english };
    const answer = {
        error: known,
        errors: [{ reason: "newer", values: {}, message: "Newer." }, { reason: "constructor", values: {}, message: "Odd." }],
        job: { reason: "timeout", message: "The job's own.", detail: "kept" },
    };
    wording.translated(answer, () => reader);
    assert.equal(answer.error.detail, english);
    reader = japanese();
    assert.equal(answer.error.detail, "「timeout」には 1 から 86,400 までの秒数を指定してください。指定された値は 0 です。");
    assert.deepEqual(
        answer.errors.map((each) => each.message),
        ["Newer.", "Odd."],
    );
    assert.equal(answer.job.message, "The job's own.");
    const choice = { reason: "word_expected", values: { field: "", allowed: ["a", "b", "c"] } };
    assert.match(wording.worded(reader, choice), /^要求.*"a", "b" または "c"/);
    reader = undefined;
    assert.equal(answer.error.detail, english);
});

test("durations and numbers", () => {
    const units = { ms: "ms", s: "s", m: "m", h: "h", d: "d" };
    const texts = [320, 4200, 38_400, 125_000, 11_520_000, 371_000_000].map((span) => format.durationText(span, units, "en"));
    const unbroken = (text) => text.replaceAll(" ", "\u00a0");
    assert.deepEqual(texts, ["320 ms", "4.2 s", "38 s", "2 m 05 s", "3 h 12 m", "4 d 7 h"].map(unbroken));
    assert.equal(format.durationText(59_960, units, "en"), unbroken("1 m 00 s"));
    assert.equal(format.formatShort(12_480, "en"), "12,480");
    assert.equal(format.formatShort(1_240_000, "en"), "1.24M");
    assert.equal(format.formatBytes(1536, "en"), unbroken("1.5 KiB"));
    assert.equal(format.formatBytes(90, "ja"), unbroken("90 B"));
    assert.deepEqual(format.momentOf(Date.UTC(2026, 0, 2, 3, 4, 5, 67), true), {
        date: "2026-01-02",
        time: "03:04:05",
        millis: "067",
        zone: "UTC",
    });
});

test("no text of a language lets a number be parted from its unit, or a unit in itself", () => {
    const unit = {
        en: /[}\d][ \u00a0]?(ms|s|min|m|h|d|B|[KMGT]iB|(second|minute|hour|day)s?|per \w+)\b/g,
        ja: /[}\d][ \u00a0]?(ミ|秒|分|時|日|件|回)/g,
    };
    const within = /[}\d][ \u00a0]?時(?!\u2060)|\}\/(?=[a-z秒分])|毎(?=[秒分時日][ \u00a0])|\}あた/;
    for (const tongue of ["en", "ja"]) {
        const texts = ["first", "later", ...(tongue === "ja" ? ["reasons"] : [])].flatMap((part) => {
            const all = JSON.parse(readFileSync(join(built, "made", `${part}.${tongue}.json`), "utf8"));
            return Object.values(part === "reasons" ? { ...all.reasons, ...all.patterns } : all).flatMap((text) =>
                typeof text === "string" ? [text] : Object.values(text),
            );
        });
        assert.ok(texts.length > 1000);
        assert.ok(texts.some((text) => /\}(\/\u2060s|\u2060秒)/.test(text)));
        const rate = tongue === "en" ? "{limit}\u00a0per\u00a0second" : "毎\u2060秒\u00a0{limit}\u2060件";
        assert.ok(texts.includes(rate), rate);
        assert.deepEqual(texts.flatMap((text) => text.match(unit[tongue]) ?? []).filter((found) => !/[}\d]\u00a0/.test(found)), [], tongue);
        assert.deepEqual(texts.filter((text) => within.test(text)), [], tongue);
    }
});

test("numbers and spans are read as they are typed in any script", () => {
    const numbers = { "1,000": 1000, "１，０００": 1000, "٣": 3, "−2": -2, "1.5": 1.5, "1,5": NaN, "": NaN, "12 000": 12000 };
    for (const [text, value] of Object.entries(numbers)) assert.equal(typed.parseNumber(text), value, text);
    const spans = { "90": 90, "1 h 30 m": 5400, "1h30m": 5400, "５分": 300, "1時間30分": 5400, "250 ms": 0.25, "soon": NaN, "5 x": NaN };
    for (const [text, value] of Object.entries(spans)) assert.equal(typed.parseSpan(text), value, text);
    assert.equal(typed.parseSpan("1\u00a0h\u00a030\u00a0m"), 5400, "as it is shown");
    assert.equal(typed.parseSpan("1\u00a0時\u2060間\u00a030\u00a0分"), 5400, "as it is shown in Japanese");
    assert.equal(format.formatShort(1_240_000, "ja"), "124\u2060万");
    for (const span of [0.001, 0.25, 1, 59.5, 60, 90, 5400, 86400, 31622400]) assert.equal(typed.parseSpan(typed.spanText(span)), span);
});

test("two edits of a matcher are merged by field and by constraint", () => {
    const rate = { id: "a", kind: "rate", limit: 1 };
    const other = { id: "b", kind: "concurrency", limit: 1 };
    const base = { title: "A", expression: "true", constraints: [rate, other] };
    const mine = { ...base, title: "M", constraints: [{ ...rate, limit: 2 }, other, { kind: "pause" }] };
    const theirs = { title: "T", expression: "false", constraints: [{ limit: 1, kind: "rate", id: "a", revision: 9 }] };
    const { parts, conflicts } = both.merged(...[base, mine, theirs].map(edits.partsOf));
    assert.deepEqual(conflicts.map((each) => [each.key, each.mine, each.theirs]), [["title", "M", "T"]]);
    const matcher = edits.matcherOf(parts);
    assert.equal(matcher.expression, "false");
    assert.deepEqual(matcher.constraints, [{ id: "a", kind: "rate", limit: 2 }, { kind: "pause" }]);
    const without = { ...base, constraints: [] };
    const higher = { ...base, constraints: [{ ...rate, limit: 9 }] };
    const { conflicts: twice } = both.merged(...[base, without, higher].map(edits.partsOf));
    assert.deepEqual(twice.map((each) => [each.key, each.mine]), [["limit a", undefined]]);
});

test("a constraint is sent with the fields that it may have", () => {
    const draft = { kind: "rate", limit: 1, period: 1, burst: 4, tz: "UTC", on_missing: "exempt", overrides: {}, revision: 3 };
    assert.deepEqual(fields.sent(draft), { kind: "rate", limit: 1, period: 1, burst: 4 });
    assert.deepEqual(fields.sent({ ...draft, algorithm: "fixed", by: ["job.name"] }), {
        kind: "rate",
        limit: 1,
        period: 1,
        algorithm: "fixed",
        by: ["job.name"],
        tz: "UTC",
        on_missing: "exempt",
        overrides: {},
    });
    assert.ok(!fields.isWhole({ kind: "rate", limit: NaN, period: 1 }) && !fields.isWhole({ kind: "rate", period: 1 }));
});

test("JSON that is typed: the place where it is wrong, and one value alone", () => {
    assert.equal(json.faultIn(' {"a": [1.0, "\\u0041", null], "b": {}} '), undefined);
    const places = {
        "": [1, 1],
        '{"a": 1,\n "b": }': [2, 7],
        '{"a": 1} {"b": 2}': [1, 10],
        '1, "priority": 5': [1, 2],
        '["メール", x]': [1, 9],
        '["a\nb"]': [1, 2],
        '["\\x"]': [1, 2],
        '{"a": 01}': [1, 8],
        "[1 2]": [1, 4],
        '{"a" 1}': [1, 6],
        "{'a': 1}": [1, 2],
    };
    for (const [text, [line, column]] of Object.entries(places)) assert.deepEqual(json.faultIn(text), { line, column }, text);
});

test("a master that is gone is looked for every few seconds, one that refuses is spared, and no two pages come together", () => {
    const waits = (isGone, random) => [0, 1, 2, 3, 4, 5, 50].map((failures) => backoff.liveWait(isGone, failures, random));
    assert.deepEqual(waits(true, 0.5), [500, 1000, 2000, 4000, 4000, 4000, 4000]);
    assert.deepEqual(waits(false, 0.5), [500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
    assert.deepEqual([waits(true, 0)[6], waits(true, 1)[6]], [3000, 5000]);
    // Fifty pages that lost the master together: the fullest of the seconds after a long time.
    let seed = 7;
    const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    const tries = new Array(120).fill(0);
    for (let page = 0; page < 50; ++page) {
        let failures = 0;
        for (let at_ms = 0; at_ms < 120_000; at_ms += backoff.liveWait(true, failures++, random())) ++tries[Math.floor(at_ms / 1000)];
    }
    const late = tries.slice(60);
    assert.ok(Math.max(...late) <= 25 && Math.min(...late) >= 3, `${late}`);
});
