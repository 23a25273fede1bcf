// Fifteen tasks of an operator's bad day, by what a person reads on the screen, in both languages, on a desk and on a phone. With
// JUNBAN_TASK_PICTURES a picture of each is put into that folder.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Browser, Master, until } from "./harness.mjs";

// As the page has it: numbers are joined to their units.
const part = (name) => JSON.parse(readFileSync(join(process.env.JUNBAN_WEB_BUILT, "made", `${name}.json`), "utf8"));
const catalogue = (language) => ({ ...part(`first.${language}`), ...part(`later.${language}`) });
const pictures = process.env.JUNBAN_TASK_PICTURES;

let master, browser;
before(async () => {
    master = await new Master().start();
    browser = await new Browser().start();
});
after(async () => {
    await browser?.end();
    await master?.end();
});

const state = async (id) => (await master.call("GET", `/v1/jobs/${id}`)).state;
const report = (lease, type, more) => ({ lease, type, finished_at: new Date().toISOString(), ...more });

async function claimed(name, worker) {
    const { jobs } = await master.call("POST", "/v1/claims", { worker, names: [name] });
    return jobs[0];
}

async function failed(name, message, argument) {
    const { id } = await master.push({ name, max_retry: 0, ...(argument && { argument }) });
    const more = { reason: "other", should_retry: false, error: null, message };
    await master.call("POST", `/v1/jobs/${id}/outcome`, report((await claimed(name, "w-fail")).lease, "failure", more));
    return id;
}

// What a person does, in the words of the language.
class Person {
    constructor(language, width) {
        this.language = language;
        this.width = width;
        this.texts = catalogue(language);
        this.name = `${language}${width}`; // each has jobs of its own
    }

    // A text of the catalogue, as it is shown.
    t(key, values = {}) {
        const text = this.texts[key];
        assert.ok(text, key);
        const rule = new Intl.PluralRules(this.language).select(values.n ?? 0);
        const form = typeof text === "string" ? text : (text[rule] ?? text.other);
        return form.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
    }

    // The beginning of a text that has values in it.
    beginning(key) {
        const text = this.texts[key];
        return (typeof text === "string" ? text : text.other).split("{")[0].trim();
    }

    async open(hash) {
        await this.page?.context().close();
        this.page = await browser.page(`${master.url}/${hash}`, {
            locale: this.language === "ja" ? "ja-JP" : "en-US",
            timezoneId: "Asia/Tokyo",
            viewport: this.width < 500 ? { width: this.width, height: 844 } : { width: this.width, height: 900 },
            ...(this.width < 500 && { hasTouch: true, isMobile: true }),
        });
    }

    // With a finger on a phone.
    async press(selector) {
        const found = this.page.locator(selector).first();
        await found.waitFor();
        await (this.width < 500 ? found.tap() : found.click());
    }

    button(key, values, within = "") {
        return this.press(`${within} :is(button, a.button, a):has-text("${this.t(key, values)}")`);
    }

    async sees(selector, text) {
        await this.page.waitForSelector(text === undefined ? selector : `${selector}:has-text(${JSON.stringify(text)})`);
    }

    async fill(selector, text) {
        await this.page.fill(selector, text);
    }

    async picture(task) {
        const over = await this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(over, 0, `${task} scrolls sideways`);
        if (pictures) await this.page.screenshot({ path: join(pictures, `${task}-${this.name}.png`) });
    }

    async end() {
        const { wrong } = this.page;
        await this.page.context().close();
        this.page = undefined;
        assert.deepEqual(wrong, []);
    }
}

const labelled = (person, key, tag = "input") => `dialog[open] label:has-text("${person.t(key)}") ${tag}`;

const tasks = {
    async "find a job by its argument"(person) {
        const name = `order.${person.name}`;
        for (const tenant of [41, 42, 43]) await master.push({ name, argument: { tenant, order: { id: `A-${tenant}` } } });
        await person.open("#/jobs");
        await person.sees(".rows .row");
        await person.press("#filter");
        await person.page.keyboard.type(`job.name == "${name}" && job.argument.order.id == "A-42"`);
        await person.page.keyboard.press("Escape"); // what completes it
        await person.page.keyboard.press("Enter");
        await until(async () => (await person.page.locator(".rows .row").count()) === 1, "one row");
        await person.press(".rows .row");
        await person.sees(".inspector-head h2", name);
        await person.picture("find");
    },

    async "retry a cause in bulk after a dry run, and undo it"(person) {
        const name = `mail.${person.name}`;
        const ids = [];
        for (let each = 0; each < 3; ++each) ids.push(await failed(name, "smtp timeout"));
        await person.open("#/failures");
        await person.press(`.list tr:has-text("${name}") a`);
        await person.button("do.retry.n", { n: 3 });
        await person.sees("dialog[open] .facts .state-failed", "3");
        await person.fill(labelled(person, "reason"), `${person.name}: vendor is back`);
        await person.picture("retry");
        await person.press(`dialog[open] .dialog-end button:has-text("${person.t("do.retry.n", { n: 3 })}")`);
        await until(async () => (await state(ids[0])) === "ready", "retried");
        // From the list of operations, once it has ended.
        await person.page.goto(`${master.url}/#/operations`);
        await person.press(`.list tr:has-text("${person.name}: vendor is back") a`);
        await person.button("undo", {}, ".detail .actions");
        for (const id of ids) await until(async () => (await state(id)) === "cancelled", "taken back");
        await person.sees(".detail .facts", person.t("operations.undone.of", { n: 3, total: 3 }));
        await person.picture("undo");
    },

    async "pause a tenant from a job's argument, see that it is paused, and resume"(person) {
        const name = `bill.${person.name}`;
        const { id } = await master.push({ name, argument: { tenant: `acme-${person.name}` } });
        await person.open(`#/jobs?job=${id}&tab=argument`);
        await person.press(".inspector .tree button.value");
        await person.button("value.pause", {}, "dialog[open]");
        await person.sees("dialog[open] .stops", person.t("pause.stops", { n: 1 }));
        await person.fill(labelled(person, "pause.why"), "they asked");
        await person.picture("pause");
        await person.press("dialog[open] button[type=submit]");
        const paused = async () => (await master.call("GET", "/v1/pauses")).pauses;
        await until(async () => (await paused()).some((each) => each.match?.includes(`acme-${person.name}`)), "paused");
        await person.page.goto(`${master.url}/#/jobs?job=${id}&tab=why`);
        await person.sees(".gate.holding");
        await person.picture("paused");
        await person.page.goto(`${master.url}/#/constraints`);
        await person.press(`.pauses li:has-text("acme-${person.name}") button`);
        await until(async () => (await paused()).length === 0, "resumed");
    },

    async "change a limit with a preview, and meet somebody else's change"(person) {
        const id = `limit-${person.name}`;
        const constraints = [{ kind: "rate", limit: 20, period: 1 }];
        const matcher = { title: `Limit ${person.name}`, expression: `job.name == "${id}"`, constraints };
        await master.call("PUT", `/v1/matchers/${id}`, matcher, { "If-None-Match": "*" });
        await master.push({ name: id });
        await person.open(`#/constraints/${id}`);
        await person.sees(".limit-text", person.t("limit.per.second", { limit: 20 }));
        await person.button("do.edit", {}, ".detail .actions");
        await person.fill(`dialog[open] .limit label:has-text("${person.t("limitfield.limit")}") input`, "5");
        await person.sees("dialog[open]", person.beginning("matcher.matches"));
        const now = await master.call("GET", `/v1/matchers/${id}`);
        const theirs = { ...matcher, constraints: [{ id: now.constraints[0].id, kind: "rate", limit: 9, period: 1 }] };
        await master.call("PUT", `/v1/matchers/${id}`, theirs, { "If-Match": '"1"' });
        await person.press("dialog[open] button[type=submit]");
        await person.sees("dialog[open] .conflict", person.t("matcher.conflict"));
        const isSeen = ([found]) => found.getBoundingClientRect().top >= 0 && found.getBoundingClientRect().top < innerHeight / 2;
        await until(() => person.page.$$eval("dialog[open] .conflict", isSeen), "what both changed is in sight");
        await person.sees("dialog[open] .conflict", person.t("actor.loopback"));
        await person.sees("dialog[open] .conflict code", person.t("limit.per.second", { limit: 9 }));
        await person.picture("conflict");
        await person.press("dialog[open] .conflict input[type=radio] >> nth=0");
        await person.button("conflict.go", {}, "dialog[open]");
        await person.press("dialog[open] button[type=submit]");
        await until(async () => (await master.call("GET", `/v1/matchers/${id}`)).constraints[0].limit === 5, "saved");
        await person.sees(".limit-text", person.t("limit.per.second", { limit: 5 }));
        await person.picture("limit");
    },

    async "say why a job does not run"(person) {
        const id = `slow-${person.name}`;
        const constraints = [{ kind: "concurrency", limit: 1 }];
        const matcher = { title: `Slow ${person.name}`, expression: `job.name == "${id}"`, constraints };
        await master.call("PUT", `/v1/matchers/${id}`, matcher, { "If-None-Match": "*" });
        await master.push({ name: id });
        const waits = await master.push({ name: id });
        const running = await claimed(id, "w-slow");
        await person.open(`#/jobs?filter=${id}`);
        await person.press(`.rows .row:has(.state-ready)`);
        await person.sees(".why", `Slow ${person.name}`);
        await person.sees(".gate.holding a.holder", running.id);
        await person.picture("why");
        await master.call("POST", `/v1/jobs/${running.id}/cancel`, { force: true });
        await master.call("POST", `/v1/jobs/${waits.id}/cancel`, {});
    },

    async "delete a job, and restore it from the trash"(person) {
        const name = `trash.${person.name}`;
        const { id } = await master.push({ name });
        await person.open(`#/jobs?job=${id}`);
        await person.button("do.delete", {}, ".inspector .actions");
        await until(async () => (await master.call("GET", `/v1/jobs/${id}`)).deleted_at, "deleted");
        await person.page.goto(`${master.url}/#/jobs?kind=trash&filter=${name}`);
        await person.press(".rows .row");
        await person.picture("trash");
        await person.button("do.restore", {}, ".inspector .actions");
        await until(async () => !(await master.call("GET", `/v1/jobs/${id}`)).deleted_at, "restored");
    },

    async "duplicate a job with another argument"(person) {
        const name = `copy.${person.name}`;
        const { id } = await master.push({ name, argument: { amount: 1.0, big: 1, to: "x" } });
        await person.open(`#/jobs?job=${id}`);
        await person.button("do.duplicate", {}, ".inspector .actions");
        await person.fill("dialog[open] [data-part=argument]", '{"amount": 1.0, "big": 9007199254740993, "to": "y"}');
        await person.picture("duplicate");
        await person.press("dialog[open] button[type=submit]");
        await until(async () => !person.page.url().includes(id), "the copy is shown");
        const made = /job=([0-9a-f-]{36})/.exec(person.page.url())[1];
        const text = await (await fetch(`${master.url}/v1/jobs/${made}`, { headers: { Accept: "application/json" } })).text();
        assert.match(text, /"amount":\s?1\.0,\s?"big":\s?9007199254740993,\s?"to":\s?"y"/);
    },

    async "export a filtered list and copy a link to it"(person) {
        const name = `export.${person.name}`;
        for (let n = 0; n < 3; ++n) await master.push({ name, argument: { n } });
        await person.open(`#/jobs?filter=${name}`);
        await person.sees(".rows .row");
        await person.button("freeze", {}, ".list-foot");
        const saving = person.page.waitForEvent("download");
        await person.button("export", { format: "CSV" }, ".list-foot");
        const lines = readFileSync(await (await saving).path(), "utf8").trim().split("\r\n");
        assert.equal(lines.length, 4, lines.join("\n"));
        await person.picture("export");
        await person.press(".rows .row");
        await person.page.evaluate(() => {
            globalThis.copied = "";
            document.addEventListener("copy", () => (globalThis.copied = document.activeElement.value));
            Object.defineProperty(navigator, "clipboard", { value: undefined }); // as on plain HTTP
        });
        await person.press(`.inspector-bar button[aria-label="${person.t("copy.link")}"]`);
        const link = await until(() => person.page.evaluate(() => globalThis.copied), "a link");
        await person.page.goto("about:blank");
        await person.page.goto(link);
        await person.sees(".inspector-head h2", name);
    },

    async "requeue what a worker runs"(person) {
        const name = `stuck.${person.name}`;
        const { id } = await master.push({ name });
        await claimed(name, `w-${person.name}`);
        await person.open("#/workers");
        await person.press(`.list tr:has-text("w-${person.name}") button:has-text("${person.t("workers.release")}")`);
        await person.sees("dialog[open] .amber", person.t("bulk.warn.release"));
        await person.picture("requeue");
        await person.press(`dialog[open] .dialog-end button:has-text("${person.t("do.release.n", { n: 1 })}")`);
        await until(async () => (await state(id)) === "ready", "ready again");
        await master.call("POST", `/v1/jobs/${id}/cancel`, {});
    },

    async "save a result"(person) {
        const name = `result.${person.name}`;
        const { id } = await master.push({ name, keep_result: true });
        const { lease } = await claimed(name, "w-done");
        await master.call("POST", `/v1/jobs/${id}/outcome`, report(lease, "success", { result: { pages: 3 } }));
        await person.open("#/results");
        const saving = person.page.waitForEvent("download");
        await person.press(`.list tr:has-text("${name}") a:has-text("${person.t("do.save")}")`);
        assert.deepEqual(JSON.parse(readFileSync(await (await saving).path(), "utf8")).result, { pages: 3 });
        await person.picture("result");
    },

    async "make a schedule and see when it runs"(person) {
        const id = `nightly-${person.name}`;
        await person.open("#/schedules");
        await person.button("schedules.new", {}, ".page-head");
        await person.fill("dialog[open] input.mono >> nth=0", id);
        await person.fill(labelled(person, "schedules.cron"), "30 2 * * *");
        await person.fill(labelled(person, "limitfield.zone"), "Europe/Berlin");
        await person.fill(labelled(person, "schedules.json", "textarea"), `{"name": "report.${person.name}"}`);
        await until(async () => (await person.page.locator("dialog[open] .next-runs li").count()) === 5, "the next runs");
        await person.picture("schedule");
        await person.press("dialog[open] button[type=submit]");
        const saved = await until(() => master.call("GET", `/v1/schedules/${id}`).catch(() => undefined), "saved");
        assert.equal(saved.tz, "Europe/Berlin");
    },

    async "trip a breaker and reset it"(person) {
        const id = `fuse-${person.name}`;
        const constraints = [{ kind: "breaker", window: 60, min_samples: 10, failure_rate: 0.9, open_for: 120 }];
        const matcher = { title: `Fuse ${person.name}`, expression: `job.name == "${id}"`, constraints };
        await master.call("PUT", `/v1/matchers/${id}`, matcher, { "If-None-Match": "*" });
        await master.push({ name: id });
        await person.open(`#/constraints/${id}`);
        await person.button("do.trip", {}, ".panel header");
        await person.sees(".panel td .red", person.t("bucket.tripped"));
        await person.picture("breaker");
        await person.button("do.reset", {}, ".panel header");
        await person.sees(".panel td .green", person.t("limit.untripped"));
    },

    async "cancel what waits, all that match"(person) {
        const name = `wrong.${person.name}`;
        const ids = [];
        for (let n = 0; n < 3; ++n) ids.push((await master.push({ name })).id);
        await person.open(`#/jobs?filter=${name}`);
        await person.press(".rows .row input[type=checkbox]");
        await person.press(`.bulk button.link:has-text("${person.beginning("bulk.choose.all")}")`);
        await person.press(".bulk [data-do=cancel]");
        await person.sees("dialog[open] .amber", person.t("bulk.warn.cancel"));
        await person.picture("cancel");
        await person.press(`dialog[open] .dialog-end button:has-text("${person.t("do.cancel.n", { n: 3 })}")`);
        for (const id of ids) await until(async () => (await state(id)) === "cancelled", "cancelled");
    },

    async "find who did it, and look at the overview again"(person) {
        await person.open("#/audit");
        await person.sees(".list td", person.t("auditaction.tripBreaker"));
        await person.picture("audit");
        await person.page.goto(`${master.url}/#/overview`);
        await person.sees(".tile");
        await person.picture("overview");
    },
};

const people = ["en", "ja"].flatMap((language) => [1440, 390].map((width) => new Person(language, width)));
for (const [task, act] of Object.entries(tasks)) {
    test(task, async (context) => {
        for (const person of people)
            await context.test(`${person.language}, ${person.width} pixels`, async () => {
                try {
                    await act(person);
                    await person.end();
                } finally {
                    await person.page?.context().close();
                    person.page = undefined;
                }
            });
    });
}

// The last, because from then on every caller needs a token.
test("sign out everywhere", async (context) => {
    const admin = (await master.call("POST", "/v1/tokens", { roles: ["admin"], note: "root" })).token;
    const by = { Authorization: `Bearer ${admin}` };
    const { token } = await master.call("POST", "/v1/tokens", { roles: ["operator"], note: "ada" }, by);
    for (const person of people)
        await context.test(`${person.language}, ${person.width} pixels`, async () => {
            await person.open("#/jobs");
            await person.fill("#token", token);
            await person.page.keyboard.press("Enter");
            await person.sees(".tabs");
            await person.press(".side-end button.account");
            await person.picture("account");
            await person.button("account.everywhere", {}, "dialog[open]");
            await person.sees("#token");
            await person.end();
        });
});
