// What an operator does in the browser, with its effect at the API.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, test } from "node:test";
import { axe, Browser, Master, until } from "./harness.mjs";

let master, browser, page;
before(async () => {
    master = await new Master().start();
    browser = await new Browser().start();
});
after(async () => {
    await browser?.end();
    await master?.end();
});
afterEach(async () => {
    if (page) assert.deepEqual(page.wrong, []);
    await page?.context().close();
    page = undefined;
});
const open = async (hash) => {
    page = await browser.page(`${master.url}/${hash}`);
};
const job = (id) => master.call("GET", `/v1/jobs/${id}`);
const state = async (id) => (await job(id)).state;

async function failed(name, message) {
    const { id } = await master.push({ name, max_retry: 0 });
    const { jobs } = await master.call("POST", "/v1/claims", { worker: "w-1", names: [name] });
    const report = {
        lease: jobs[0].lease,
        type: "failure",
        reason: "other",
        finished_at: new Date().toISOString(),
        should_retry: false,
        error: null,
        message,
    };
    await master.call("POST", `/v1/jobs/${id}/outcome`, report);
    return id;
}

test("one job is cancelled, retried, starred, edited, duplicated, deleted and restored", async () => {
    const { id } = await master.push({ name: "one", argument: { exact: 1 }, tags: ["a"] });
    await open(`#/jobs?job=${id}`);
    await page.click(".inspector .actions button:has-text('Star')");
    await until(async () => (await job(id)).tracked, "starred");
    await page.click(".inspector .actions button:has-text('Edit')");
    assert.deepEqual(await axe(page), []);
    await page.fill("dialog [data-part=priority]", "－3"); // as an input method types it
    await page.click("dialog button:has-text('Save')");
    await until(async () => (await job(id)).priority === -3, "the priority");
    assert.deepEqual((await job(id)).tags, ["a"]);
    await page.click(".inspector .actions button:has-text('Cancel')");
    await until(async () => (await state(id)) === "cancelled", "cancelled");
    await page.click(".inspector .actions button:has-text('Retry')");
    await until(async () => (await state(id)) === "ready", "ready again");
    await page.click(".inspector .actions button:has-text('Duplicate')");
    await page.click("dialog button:has-text('Enqueue')");
    await until(async () => !page.url().includes(id), "the copy is opened");
    await page.goBack();
    await page.waitForSelector(`.inspector .ids code:has-text("${id}")`);
    await page.click(".inspector .actions button:has-text('Delete')");
    await until(async () => (await job(id)).deleted_at !== undefined, "in the trash");
    await page.click(".toast button:text-is('Undo')");
    await until(async () => (await job(id)).deleted_at === undefined, "out of the trash");
});

test("a message offers Undo no more once its change was taken back elsewhere, or the same thing was changed again", async () => {
    const { id } = await master.push({ name: "undone.elsewhere" });
    const other = await master.push({ name: "undone.other" });
    await master.call("PUT", "/v1/schedules/undone", { cron: "0 3 * * *", tz: "UTC", job: { name: "undone.elsewhere" } });
    await open("about:blank");
    await page.addInitScript(() => {
        const real = setTimeout;
        globalThis.setTimeout = (done, after_ms, ...given) => real(done, after_ms === 8000 ? 600_000 : after_ms, ...given); // messages stay
    });
    await page.goto(`${master.url}/#/schedules`);
    await page.reload();
    const undo = page.locator(".toasts button:has-text('Undo')");
    await page.click("tr:has-text('undone') button:has-text('Pause')");
    await page.waitForSelector(".toast:has(button:has-text('Undo'))");
    await page.evaluate((hash) => (location.hash = hash), `#/jobs?job=${other.id}`);
    await page.waitForSelector(`.inspector .ids code:has-text("${other.id}")`);
    await page.click(".inspector .actions button:has-text('Delete')");
    await until(async () => (await undo.count()) === 2, "two can be undone");
    await page.evaluate((hash) => (location.hash = hash), `#/jobs?job=${id}`);
    await page.waitForSelector(`.inspector .ids code:has-text("${id}")`);
    await page.click(".inspector .actions button:has-text('Delete')");
    await until(async () => (await undo.count()) === 3, "three can be undone");
    await page.click(".inspector .actions button:has-text('Restore')");
    await until(async () => (await undo.count()) === 2, "the one that was taken back cannot");
    assert.equal(await page.locator(".toast:has-text('undone.elsewhere') button:has-text('Undo')").count(), 0);
    assert.equal(await page.locator(".toast:has-text('undone.other') button:has-text('Undo')").count(), 1);
    await page.evaluate(() => (location.hash = "#/schedules"));
    await page.click("tr:has-text('undone') button:has-text('Resume')");
    await page.waitForSelector(".toast:has-text('fires again')");
    assert.equal(await undo.count(), 2); // of the latest change, and of the other job
    await undo.last().click();
    await until(async () => (await master.call("GET", "/v1/schedules/undone")).paused, "paused again");
    await master.call("DELETE", "/v1/schedules/undone");
});

test("selected jobs are cancelled after a dry run, and others are left alone", async () => {
    const ids = [];
    for (let each = 0; each < 5; ++each) ids.push((await master.push({ name: "bulk.some" })).id);
    await open("#/jobs?filter=bulk.some&state=ready");
    await page.waitForSelector(".rows .row >> nth=4");
    for (const at of [0, 2]) await page.click(`.rows .row >> nth=${at} >> input`);
    await page.waitForSelector(".bulk:has-text('2 jobs selected')");
    assert.deepEqual(await axe(page), []);
    await page.click(".bulk button:has-text('Cancel')");
    await page.waitForSelector("dialog button:has-text('Cancel 2 jobs')");
    assert.deepEqual(await axe(page), []);
    await page.click("dialog button:has-text('Cancel 2 jobs')");
    await until(async () => (await Promise.all(ids.map(state))).filter((each) => each === "cancelled").length === 2, "two are cancelled");
    assert.equal((await Promise.all(ids.map(state))).filter((each) => each === "ready").length, 3);
});

test("all that match are deleted and brought back, and the filter decides which these are", async () => {
    for (let each = 0; each < 12; ++each) await master.push({ name: "bulk.all" });
    const { id } = await master.push({ name: "bulk.other" });
    await open("#/jobs?filter=bulk.all");
    await page.waitForSelector(".rows .row >> nth=5");
    await page.click(".rows .row >> nth=0 >> input");
    await page.fill("#filter", "bulk.*"); // typed, not applied
    await page.click(".bulk button:has-text('Select all')");
    await page.click(".bulk button:has-text('Delete')");
    await page.click("dialog button:has-text('Delete 12 jobs')");
    const trash = () =>
        master.call("GET", "/v1/jobs?trash=true&limit=100").then((list) => list.jobs.filter((each) => each.name === "bulk.all").length);
    await until(async () => (await trash()) === 12, "twelve in the trash");
    assert.equal(await state(id), "ready");
    await page.goto(`${master.url}/#/operations`);
    await page.waitForSelector(".list tbody tr");
    await page.click(".list tbody tr >> nth=0 >> button:has-text('Undo')");
    await page.waitForSelector(".toasts button:has-text('Undo')", { state: "detached", timeout: 4000 }); // it was taken back here
    await until(async () => (await trash()) === 0, "twelve are back");
});

test("the pace that is started is the pace that was typed, in the digits of any script", async () => {
    const jobs = Array.from({ length: 120 }, () => ({ name: "at.pace", delay: 3600 }));
    await master.call("POST", "/v1/jobs/batch", { jobs });
    const { token } = await master.call("POST", "/v1/operations", { action: "cancel", name: "at.pace", dry_run: true });
    await master.call("POST", "/v1/operations", { token });
    await until(async () => (await master.call("GET", "/v1/jobs?name=at.pace&state=scheduled")).jobs.length === 0, "all are cancelled");
    await open("#/jobs?filter=at.pace&state=cancelled");
    await page.waitForSelector(".rows .row");
    await page.click(".rows .row >> nth=0 >> input");
    await page.click(".bulk button:has-text('Cancel')");
    await page.waitForSelector("dialog:has-text('No job would be changed.'):has-text('Jobs that have not ended are cancelled.')");
    await page.keyboard.press("Escape");
    await page.click(".bulk button:has-text('Clear selection')");
    await page.click(".rows .row >> nth=0 >> input");
    await page.click(".bulk button.link:has-text('Select all')");
    await page.click(".bulk button:has-text('Retry')");
    const start = "dialog button.primary:has-text('120 jobs')";
    await page.waitForSelector(`${start}:enabled`);
    const asked = [];
    const held = [];
    await page.route("**/v1/operations", (route) => {
        if (route.request().method() === "GET") return route.continue(); // the page looks at what runs now and then
        asked.push(route.request().postDataJSON());
        held.push(route);
    });
    await page.fill("dialog input[inputmode=numeric]", "何か");
    await page.waitForSelector("dialog input[aria-invalid=true]");
    assert.ok(await page.isDisabled(start));
    await page.fill("dialog input[inputmode=numeric]", "２０");
    await until(() => asked.length > 0, "another dry run");
    assert.equal(asked.at(-1).rate, 20);
    assert.ok(await page.isDisabled(start));
    await page.unrouteAll({ behavior: "ignoreErrors" });
    for (const route of held) await route.continue().catch(() => undefined);
    await page.waitForSelector(`${start}:enabled`);
    await page.click(start);
    await until(
        async () => (await master.call("GET", "/v1/operations")).operations.some((each) => each.rate === 20),
        "an operation of this pace",
    );
});

test("a cause is retried, resolved and looked into", async () => {
    const id = await failed("cause.one", "SMTP timeout connecting to 10.0.0.1");
    await open("#/failures");
    await page.click(".list a:has-text('SMTP timeout')");
    await page.waitForSelector(".detail .lines li");
    assert.deepEqual(await axe(page), []);
    await page.click(".detail button:has-text('Mark resolved')");
    await until(async () => (await master.call("GET", "/v1/failures?state=resolved")).groups.length === 1, "resolved");
    await page.click(".detail button:has-text('Retry 1 job')");
    await page.click("dialog button:has-text('Retry 1 job')");
    await until(async () => (await state(id)) === "ready", "it will run again");
});

// As a person replaces an expression: in the editor, which comes with the focus, and selected before it is typed over.
async function retype(selector, text) {
    await page.focus(selector);
    await page.waitForSelector("dialog .cm-content");
    await page.keyboard.press("Control+a");
    await page.waitForSelector("dialog .cm-selecting");
    await page.keyboard.insertText(text);
}

test("jobs are paused and resumed, and a JobMatcher is made and changed with a preview", async () => {
    await master.push({ name: "held.one" });
    await open("#/constraints");
    await page.click("button:has-text('Pause jobs')");
    assert.deepEqual(await axe(page), []);
    await page.fill("dialog input >> nth=0", "held.*");
    await page.fill("dialog input[required]", "vendor down");
    await page.click("dialog button.primary");
    await page.waitForSelector(".pauses li:has-text('vendor down')");
    assert.equal((await master.call("GET", "/v1/pauses")).pauses[0].match, 'job.name.startsWith("held.")');
    await page.click(".pauses button:has-text('Resume')");
    await until(async () => (await master.call("GET", "/v1/pauses")).pauses.length === 0, "resumed");
    await page.click("button:has-text('Pause jobs')");
    await page.fill("dialog input >> nth=0", "held.*");
    await page.waitForSelector("dialog .stops:has-text('1 ready job stops')");
    await page.selectOption("dialog select", "span");
    await page.fill("dialog label:has-text('For how long') input", "soon");
    await page.fill("dialog input[required]", "a while");
    assert.ok(await page.isDisabled("dialog button.primary"));
    await page.fill("dialog label:has-text('For how long') input", "1時間 ３０分"); // as an input method types it
    await page.click("dialog button.primary");
    await page.waitForSelector(".pauses li:has-text('a while')");
    const [pause] = (await master.call("GET", "/v1/pauses")).pauses;
    assert.equal(Math.round((Date.parse(pause.until) - Date.parse(pause.since)) / 1000), 5400);
    await page.click(".pauses button:has-text('Resume')");
    await until(async () => (await master.call("GET", "/v1/pauses")).pauses.length === 0, "resumed");
    await page.click("button:has-text('New JobMatcher')");
    await page.fill("dialog input.mono", "held-limit");
    await page.fill("dialog input:not(.mono) >> nth=0", "Held");
    await page.fill("dialog #expression", 'job.name == "held.one" &&');
    await page.waitForSelector("dialog .red:has-text('expression')");
    await retype("dialog #expression", 'job.name == "held.one"');
    await page.waitForSelector("dialog .preview .state");
    await page.selectOption("dialog .limit select", "concurrency");
    await page.fill("dialog .limit label:has-text('Running at most') input", "3");
    await page.selectOption("dialog .add select", "window");
    assert.deepEqual(await axe(page), []);
    await page.click("dialog button:has-text('Save') >> nth=-1");
    await until(async () => (await master.call("GET", "/v1/matchers?limit=50")).matchers.some((each) => each.id === "held-limit"), "saved");
    const { constraints } = await master.call("GET", "/v1/matchers/held-limit");
    assert.deepEqual(
        constraints.map((each) => [each.kind, each.limit, each.deny?.[0].from]),
        [
            ["concurrency", 3, undefined],
            ["window", undefined, "22:00"],
        ],
    );
});

test("a breaker is tripped, taken back and reset, and is never called open, which means the opposite for a fuse", async () => {
    const constraints = [{ kind: "breaker", window: 60, min_samples: 10, failure_rate: 0.9, open_for: 120 }];
    const fresh = { "If-None-Match": "*" };
    await master.call("PUT", "/v1/matchers/fuse", { title: "Fuse", expression: 'job.name == "fused"', constraints }, fresh);
    await master.push({ name: "fused" });
    await open("#/constraints/fuse");
    await page.waitForSelector(".panel h2:has-text('trips at 90% failures in 1 m, for 2 m')");
    await page.click(".panel header button:has-text('Trip')");
    await page.waitForSelector(".panel td.red, .panel td .red:has-text('tripped')");
    await page.waitForSelector(".panel th:has-text('Next attempt')");
    await page.click(".toasts button:has-text('Undo')");
    await page.waitForSelector(".panel td .green:has-text('not tripped')");
    await page.click(".panel header button:has-text('Trip')");
    await page.waitForSelector(".panel td .red:has-text('tripped')");
    await page.click(".panel header button:has-text('Reset')");
    await page.waitForSelector(".panel td .green:has-text('not tripped')");
    await page.goto(`${master.url}/#/constraints`);
    await page.waitForSelector(".list tr:has-text('Fuse') .green:has-text('not tripped')");
    await page.goto(`${master.url}/#/overview`);
    await page.waitForSelector(".tile");
    for (const bar of await page.locator(".bars li:has-text('Fuse')").allInnerTexts()) assert.doesNotMatch(bar, /\bopen\b/);
    await master.call("DELETE", "/v1/matchers/fuse", undefined, { "If-Match": '"1"' });
});

test("a trip of all keys is not taken back, as keys may have tripped by themselves; that of one key is", async () => {
    const constraints = [{ kind: "breaker", by: ["job.argument.host"], window: 60, min_samples: 10, failure_rate: 0.9, open_for: 120 }];
    const fresh = { "If-None-Match": "*" };
    await master.call("PUT", "/v1/matchers/keyed", { title: "Keyed", expression: 'job.name == "keyed"', constraints }, fresh);
    for (const host of ["a", "b"]) await master.push({ name: "keyed", argument: { host } });
    await open("#/constraints/keyed");
    const row = (host) => `.panel tbody tr:has(code:text-is("${host}"))`;
    await page.click(`${row("a")} button:has-text('Trip')`);
    await page.waitForSelector(`${row("a")} .red:has-text('tripped')`);
    await page.waitForSelector(".toasts button:has-text('Undo')");
    await page.click(".toasts .toast >> nth=-1 >> button[aria-label='Close']");
    await page.click(".panel header button:has-text('Trip')");
    await page.waitForSelector("dialog:has-text('for all keys'):has-text('2 m')");
    await page.click("dialog button.danger");
    await page.waitForSelector(`${row("b")} .red:has-text('tripped')`);
    await page.waitForSelector(".toasts .toast:has-text('Tripped')");
    assert.equal(await page.locator(".toasts button:has-text('Undo')").count(), 0);
    await master.call("DELETE", "/v1/matchers/keyed", undefined, { "If-Match": '"1"' });
});

test("limits and intervals are worded as one says them, in both languages", async () => {
    const by = { by: ["job.argument.tenant"], on_missing: "exempt", overrides: { acme: { limit: 5 } } };
    const limits = {
        "20 per second, burst 40 · for each tenant · not for jobs without a key · 1 exception": {
            kind: "rate", limit: 20, period: 1, burst: 40, ...by,
        },
        "5 per 10 s, sliding, each costs job.argument.pages": {
            kind: "rate", limit: 5, period: 10, algorithm: "sliding", cost: "job.argument.pages",
        },
        "100 per day, in fixed windows of Asia/Tokyo": { kind: "rate", limit: 100, period: 86400, algorithm: "fixed", tz: "Asia/Tokyo" },
        "3 at a time, reserves after 1 m": { kind: "concurrency", limit: 3, reserve_after: 60 },
        "closed Sat, Sun 00:00–24:00, 22:00–06:00, UTC, cancels running jobs": {
            kind: "window",
            deny: [{ days: ["sat", "sun"], from: "00:00", to: "24:00" }, { from: "22:00", to: "06:00" }],
            on_close: "cancel",
        },
        "8 shared: acme 50%, others at most 2, may borrow · for each tenant": {
            kind: "share", capacity: 8, by: by.by, shares: { acme: { percent: 50 } }, default: { max: 2 }, borrow: true,
        },
        "priority -5, timeout 30 s, 1 retry": { kind: "set", priority: -5, timeout: 30, max_retry: 1 },
    };
    const matcher = { title: "Worded", expression: 'job.name == "worded"', constraints: Object.values(limits) };
    await master.call("PUT", "/v1/matchers/worded", matcher, { "If-None-Match": "*" });
    const intervals = { "every second": 1, "every minute": 60, "every 90 minutes": 5400, "every 2 hours": 7200, "every day": 86400 };
    for (const every of Object.values(intervals)) await master.call("PUT", `/v1/schedules/each-${every}`, { every, job: { name: "each" } });
    const { id } = await master.push({ name: "worded", argument: { tenant: "t" } });
    await open("#/constraints/worded");
    await page.waitForSelector(".limit-text");
    const said = (await page.locator(".limit-text").allInnerTexts()).map((text) => text.replaceAll("\u00a0", " "));
    for (const text of Object.keys(limits)) assert.ok(said.includes(text), `${text} is not in ${said.join("\n")}`);
    await page.goto(`${master.url}/#/schedules`);
    for (const [text, every] of Object.entries(intervals))
        await page.waitForSelector(`.list tr:has-text('each-${every}') code:text-is('${text}')`);
    await page.goto(`${master.url}/#/jobs?job=${id}&tab=why`);
    await page.waitForSelector(".gate:has-text('limit 20 per second')");
    await page.context().close();
    page = await browser.page(`${master.url}/#/constraints/worded`, { locale: "ja-JP" });
    await page.waitForSelector(".limit-text:has-text('毎\u2060秒 20\u2060件')");
    await page.goto(`${master.url}/#/schedules`);
    await page.waitForSelector(".list code:text-is('1\u2060分ごと')");
    for (const every of Object.values(intervals)) await master.call("DELETE", `/v1/schedules/each-${every}`);
    await master.call("POST", `/v1/jobs/${id}/cancel`, {});
    await master.call("DELETE", "/v1/matchers/worded", undefined, { "If-Match": '"1"' });
});

test("a JobMatcher is disabled and enabled, what it holds is listed with its key, and a running job is found at its limit", async () => {
    const constraints = [{ kind: "concurrency", limit: 1, by: ["job.argument.tenant"] }];
    const fresh = { "If-None-Match": "*" };
    await master.call("PUT", "/v1/matchers/holding", { title: "Holding", expression: 'job.name == "holding"', constraints }, fresh);
    const ids = [];
    for (let each = 0; each < 3; ++each) ids.push((await master.push({ name: "holding", argument: { tenant: "acme" } })).id);
    await master.call("POST", "/v1/claims", { worker: "w-1", names: ["holding"] });
    await open("#/constraints");
    await page.waitForSelector(".panel:has-text('What holds jobs') tr:has-text('Holding'):has-text('acme')");
    // Below the list, which has the whole width.
    const wide = async (part) => (await (await page.waitForSelector(part)).boundingBox()).width;
    assert.ok(Math.abs((await wide(".page > .scroll-x")) - (await wide(".page > .panel"))) < 20);
    await page.click(".list tr:has-text('Holding') a >> nth=0");
    await page.click(".panel td a.holder");
    await page.waitForSelector(`.inspector .ids code:has-text("${ids[0]}")`);
    await page.click(".detail button:has-text('Disable')");
    await until(async () => !(await matcher("holding")).enabled, "disabled");
    await page.waitForSelector(".detail .facts .amber:has-text('off')");
    await page.keyboard.press("Control+z"); // what the message offers
    await until(async () => (await matcher("holding")).enabled, "enabled");
    assert.deepEqual((await matcher("holding")).constraints.map((each) => [each.kind, each.limit]), [["concurrency", 1]]);
    for (const id of ids) await master.call("POST", `/v1/jobs/${id}/cancel`, { force: true });
    const { revision } = await matcher("holding");
    await master.call("DELETE", "/v1/matchers/holding", undefined, { "If-Match": `"${revision}"` });
});

test("an operation says which jobs it was for, which it skipped and why, and whether it can be undone", async () => {
    const ids = [(await master.push({ name: "operated" })).id, (await master.push({ name: "operated" })).id];
    const { token } = await master.call("POST", "/v1/operations", { action: "cancel", ids, dry_run: true });
    await master.call("POST", `/v1/jobs/${ids[1]}/cancel`, {});
    const { operation } = await master.call("POST", "/v1/operations", { token }, { "Junban-Reason": "no longer needed" });
    await open("#/operations");
    await page.click(".list tr:has-text('no longer needed') a:has-text('Cancel')");
    await page.waitForSelector(`.detail code:has-text('${operation}')`);
    await page.waitForSelector(".detail .facts:has-text('done')");
    await page.waitForSelector(".detail:has-text('Cancelled jobs do not return to their place')");
    await page.waitForSelector(`.panel:has-text('Its jobs') tr:has-text('${ids[0]}')`);
    await page.waitForSelector(`.panel:has-text('Skipped') tr:has-text('cancelled'):has-text('${ids[1]}')`);
    assert.deepEqual(await axe(page), []);
    await page.click(`.panel:has-text('Skipped') a:has-text('${ids[1]}')`);
    await page.waitForSelector(".inspector-head h2:has-text('operated')");
});

test("failures are summed up by name, reason and worker, and a sum leads to its causes", async () => {
    await failed("summed.one", "first cause");
    await failed("summed.one", "second cause");
    await open("#/failures");
    await page.selectOption(".grouping select", "name");
    await page.waitForSelector(".list tr:has-text('summed.one'):has-text('2 groups')");
    assert.match(page.url(), /by=name/);
    await page.click(".list a:text-is('summed.one')");
    await page.waitForSelector(".list tr:has-text('first cause')");
    await page.waitForSelector(".list tr:has-text('second cause')");
    assert.equal(await page.locator(".list tbody tr").count(), 2);
    await page.goto(`${master.url}/#/failures?by=worker`);
    await page.waitForSelector(".list tr:has-text('w-1')");
    await page.goto(`${master.url}/#/failures?by=reason`);
    await page.waitForSelector(".list tr:has-text('worker error')");
    assert.deepEqual(await axe(page), []);
});

test("hidden values are shown on demand, which the audit notes, and a reason goes with every change", async () => {
    const mask = { title: "Hiding", expression: 'job.name == "hidden"', mask: ["argument.card"], constraints: [] };
    await master.call("PUT", "/v1/matchers/hiding", mask, { "If-None-Match": "*" });
    const { id } = await master.push({ name: "hidden", argument: { card: "4111", n: 1 } });
    await open(`#/jobs?job=${id}&tab=argument`);
    await page.waitForSelector(".payload:has-text('••••')");
    await page.click(".inspector-body button:has-text('Reveal')");
    await page.click("dialog button:has-text('Show them')");
    await page.waitForSelector(".payload:has-text('4111')");
    const { entries } = await master.call("GET", `/v1/audit?action=getJob&target=${id}`);
    assert.equal(entries.length, 1);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("Reason for");
    await page.keyboard.press("Enter");
    await page.fill("dialog[open] input", "vendor outage 障害");
    await page.keyboard.press("Enter");
    await page.click(".inspector .actions button:has-text('Cancel')");
    await until(async () => (await state(id)) === "cancelled", "cancelled");
    const cancelled = await master.call("GET", `/v1/audit?action=cancelJob&target=${id}`);
    assert.equal(cancelled.entries[0].reason, "vendor outage 障害");
    await page.click(".toasts button:has-text('Undo: run again')");
    await until(async () => (await state(id)) === "ready", "ready again");
    await master.call("DELETE", "/v1/matchers/hiding", undefined, { "If-Match": '"1"' });
    await master.call("POST", `/v1/jobs/${id}/cancel`, {});
});

test("a job that has run asks before it runs again", async () => {
    const id = await failed("again.failed", "no route");
    await open(`#/jobs?job=${id}`);
    await page.click(".inspector .actions button:has-text('Retry')");
    await page.waitForSelector("dialog:has-text('has run 1 time'):has-text('no route')");
    await page.keyboard.press("Escape");
    assert.equal(await state(id), "failed");
    await page.click(".inspector .actions button:has-text('Retry')");
    await page.click("dialog button.primary:has-text('Retry')");
    await until(async () => (await state(id)) === "ready", "ready");
    await page.click(".toasts button:has-text('Undo: cancel')");
    await until(async () => (await state(id)) === "cancelled", "cancelled");
});

const matcher = (id) => master.call("GET", `/v1/matchers/${id}`);
// As somebody else saves it.
async function change(id, what) {
    const { revision, edited_at: _, edited_by: __, names: ___, ...body } = await matcher(id);
    await master.call("PUT", `/v1/matchers/${id}`, { ...body, ...what(body) }, { "If-Match": `"${revision}"` });
}

test("every kind of constraint is made by its form", async () => {
    await open("#/constraints");
    await page.click("button:has-text('New JobMatcher')");
    await page.fill("dialog input.mono", "every-kind");
    await page.fill("dialog input:not(.mono) >> nth=0", "Every kind");
    await page.fill("dialog #expression", 'job.name == "every.kind"');
    const kinds = await page.$$eval("dialog .limit select >> nth=0", ([select]) => [...select.options].map((each) => each.value));
    for (const kind of kinds.slice(1)) await page.selectOption("dialog .add select", kind);
    assert.equal(await page.locator("dialog .limit").count(), 10);
    await page.fill("dialog .limit:has-text('start in a period') label:has-text('per (') input", "1 m");
    await page.fill("dialog .limit:has-text('start in a period') label:has-text('Jobs') input", "１,０００");
    assert.deepEqual(await axe(page), []);
    await page.click("dialog button:has-text('Save') >> nth=-1");
    await until(() => page.evaluate(() => !document.querySelector("dialog[open]")), "saved");
    const { constraints } = await matcher("every-kind");
    assert.deepEqual(constraints.map((each) => each.kind).sort(), [...kinds].sort());
    const rate = constraints.find((each) => each.kind === "rate");
    assert.deepEqual([rate.limit, rate.period], [1000, 60]);
});

test("two edits of one JobMatcher are merged, what both changed is asked, and revisions are put back", async () => {
    await master.call("PUT", "/v1/matchers/both", {
        title: "Both",
        expression: 'job.name == "both"',
        constraints: [
            { kind: "rate", limit: 20, period: 1, by: ["job.argument.key"], overrides: { error: { limit: 7 } } },
            { kind: "concurrency", limit: 3 },
        ],
    }, { "If-None-Match": "*" });
    await open("#/constraints/both");
    await page.click(".detail button:has-text('Edit')");
    await change("both", ({ constraints: [rate, other] }) => ({ title: "Theirs", constraints: [rate, { ...other, limit: 5 }] }));
    await page.fill("dialog label:has-text('Title') input", "Mine");
    await page.fill("dialog .limit label:has-text('Jobs') input", "30");
    await page.click("dialog button:has-text('Save') >> nth=-1");
    await page.waitForSelector("dialog .conflict:has-text('Nothing was overwritten')");
    assert.equal((await matcher("both")).title, "Theirs");
    assert.equal(await page.locator("dialog .conflict fieldset").count(), 1);
    assert.deepEqual(await axe(page), []);
    await page.click("dialog .conflict label:has-text('Mine')");
    await page.click("dialog .conflict button");
    await page.click("dialog button:has-text('Save') >> nth=-1");
    await until(async () => (await matcher("both")).title === "Mine", "saved");
    const both = await matcher("both");
    assert.deepEqual(both.constraints.map((each) => each.limit), [30, 5]);
    assert.deepEqual(both.constraints[0].overrides, { error: { limit: 7 } });
    await page.waitForSelector(".revisions li:has-text('revision 3') del:has-text('Theirs')");
    assert.deepEqual(await axe(page), []);
    await page.click(".revisions li:has-text('revision 1') button:has-text('Restore this revision')");
    await until(async () => (await matcher("both")).title === "Both", "put back");
    await page.click(".toast:has-text('Revision 1') button:has-text('Undo')");
    await until(async () => (await matcher("both")).title === "Mine", "undone");
});

test("one key gets limits of its own, and an expression is tried on one job", async () => {
    await open("#/constraints/both");
    await page.click("button:has-text('Limits for another key')");
    await page.fill("dialog input.mono >> nth=0", "a/ä?#");
    await page.fill("dialog label:has-text('Jobs') input", "2");
    assert.deepEqual(await axe(page), []);
    await page.click("dialog button:has-text('Save')");
    await until(async () => (await matcher("both")).constraints[0].overrides["a/ä?#"]?.limit === 2, "its own limit");
    const { id } = await master.push({ name: "both", argument: { key: 7 } });
    await until(() => page.evaluate(() => !document.querySelector("dialog[open]")), "closed");
    await page.click(".detail button:has-text('Edit')");
    await retype("dialog #expression", 'job.name == "both" && job.argument.key == "seven"');
    await page.click("dialog .try summary");
    await page.fill("dialog .try input", id);
    await page.waitForSelector("dialog .try:has-text('It does not match.')");
    assert.deepEqual(await page.$$eval("dialog .terms li > span:first-child", (all) => all.map((each) => each.textContent)), ["✔", "✖"]);
});

test("why an expression has no value is said in Japanese, too", async () => {
    await master.push({ name: "faulty", argument: {} });
    page = await browser.page(`${master.url}/#/constraints`, { locale: "ja-JP" });
    await page.click(".page-head button.primary");
    await page.fill("dialog input.mono", "faulty");
    await page.fill("dialog textarea >> nth=0", 'job.name == "faulty" && job.argument.key > 1');
    await page.waitForSelector("dialog .forecast dd:has-text('項目がありません')");
    await page.click("dialog .try summary");
    await page.fill("dialog .try input", "faulty");
    await page.waitForSelector("dialog .terms li:has-text('has()')");
    const said = await page.textContent("dialog .terms li:has-text('has()') .faint");
    assert.match(said, /項目/);
});

test("a schedule is made and changed, its job is sent as it is written, and a save of somebody else stays", async () => {
    const fields = { headers: { Accept: "application/json" } };
    const text = () => fetch(`${master.url}/v1/schedules/hourly`, fields).then((answer) => answer.text());
    await open("#/schedules");
    await page.click("button:has-text('New schedule')");
    await page.fill("dialog input >> nth=0", "hourly");
    await page.fill("dialog label:has-text('Cron') input", "0 * * * *");
    await page.fill("dialog label:has-text('Time zone') input", "Asia/Tokyo");
    const { next_runs } = await master.call("POST", "/v1/schedules/preview", { cron: "0 * * * *", tz: "Asia/Tokyo" });
    const hour = String((new Date(next_runs[0]).getUTCHours() + 9) % 12 || 12);
    await page.waitForSelector(`dialog .next-runs li:nth-child(5)`);
    await page.waitForSelector(`dialog .next-runs li:first-child:has-text(' ${hour}:00:00'):has-text('Asia/Tokyo'):has-text('in ')`);
    await page.fill("dialog label:has-text('Cron') input", "0 0 30 2 *");
    await page.waitForSelector("dialog .next-runs [role=alert]:has-text('cron')");
    assert.equal(await page.locator("dialog .next-runs li").count(), 0);
    assert.ok(await page.isDisabled("dialog button[type=submit]"));
    await page.fill("dialog label:has-text('Cron') input", "0 * * * *");
    await page.waitForSelector(`dialog .next-runs li:nth-child(5)`);
    await page.fill("dialog textarea", '{"name": "hourly", "argument": {"b": 1.0, "10": 9007199254740993, "a": {"$bin": "AAE="}}}');
    assert.deepEqual(await axe(page), []);
    await page.click("dialog button:has-text('Save')");
    await page.click("a:has-text('hourly')");
    await page.waitForSelector(".panel td >> nth=9"); // five runs in two zones
    assert.deepEqual(await axe(page), []);
    await page.click(".detail button:has-text('Edit')");
    await page.fill("dialog label:has-text('Title') input", "Every hour");
    await page.click("dialog button:has-text('Save')");
    await until(async () => /"Every hour"/.test(await text()), "saved");
    assert.match(await text(), /"argument":\{"b":1\.0,"10":9007199254740993,"a":\{"\$bin":"AAE="\}\}/);
    await page.waitForSelector("h2:has-text('Every hour')");
    await page.click(".detail button:has-text('Edit')");
    await page.waitForSelector("dialog textarea");
    await master.call("PUT", "/v1/schedules/hourly", { title: "Theirs", cron: "5 * * * *", job: { name: "hourly" } });
    await page.fill("dialog label:has-text('Title') input", "Mine");
    await page.click("dialog button:has-text('Save')");
    await page.waitForSelector("dialog .conflict:has-text('Nothing was overwritten')");
    assert.match(await text(), /"Theirs"/);
    assert.deepEqual(await page.$$eval("dialog .conflict legend", (all) => all.map((each) => each.textContent)), ["Title"]);
    assert.deepEqual(await axe(page), []);
    await page.click("dialog .conflict label:has-text('Mine')");
    await page.click("dialog .conflict button");
    assert.equal(await page.inputValue("dialog label:has-text('Cron') input"), "5 * * * *");
    await page.click("dialog button:has-text('Save')");
    await until(async () => /"Mine"/.test(await text()), "merged");
    assert.match(await text(), /"5 \* \* \* \*"/);
});

test("deleting a schedule and leaving an edit ask in a dialog that keeps the focus and gives it back", async () => {
    const exists = () => fetch(`${master.url}/v1/schedules/asked`, { headers: { Accept: "application/json" } }).then((answer) => answer.ok);
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    await master.call("PUT", "/v1/schedules/asked", { cron: "0 * * * *", job: { name: "asked" } });
    await open("#/schedules/asked");
    await page.click(".detail button:has-text('Delete')");
    await page.waitForSelector("dialog h2:has-text('Delete asked?')");
    assert.equal(await focused(), "Cancel");
    for (let press = 0; press < 5; ++press) {
        await page.keyboard.press("Tab");
        assert.ok(
            await page.evaluate(
                () => document.activeElement === document.body || document.querySelector("dialog").contains(document.activeElement),
            ),
        );
    }
    assert.deepEqual(await axe(page), []);
    await page.keyboard.press("Escape");
    await until(async () => (await focused()) === "Delete", "the focus is back");
    assert.ok(await exists());
    await page.click(".detail button:has-text('Edit')");
    await page.fill("dialog label:has-text('Title') input", "Typed");
    await page.keyboard.press("Escape");
    await page.click("dialog:has-text('Discard your changes') button:has-text('Cancel')");
    assert.equal(await page.inputValue("dialog label:has-text('Title') input"), "Typed");
    await page.keyboard.press("Escape");
    await page.click("dialog:has-text('Discard your changes') button.danger");
    await until(() => page.evaluate(() => !document.querySelector("dialog[open]")), "closed");
    await page.click(".detail button:has-text('Delete')");
    await page.click("dialog button.danger");
    await until(async () => !(await exists()), "deleted");
    await page.waitForSelector(".page h1:has-text('Schedules')");
    await until(() => page.evaluate(() => document.activeElement.id === "main"), "the focus is in the page");
});

test("workers, schedules, results and the audit are shown and steered", async () => {
    await master.call("PUT", "/v1/schedules/nightly", { title: "Nightly", cron: "30 2 * * *", tz: "UTC", job: { name: "nightly" } });
    await master.call("POST", "/v1/claims", { worker: "w-1", names: ["none"] }); // it is heard of
    await open("#/workers");
    await page.waitForSelector(".list tbody tr:has-text('w-1')");
    await page.click(".list button:has-text('Drain')");
    await until(async () => (await master.call("GET", "/v1/workers")).workers[0].state === "draining", "draining");
    await page.goto(`${master.url}/#/schedules`);
    await page.click(".list tr:has-text('Nightly') button:has-text('Pause')");
    await until(async () => (await master.call("GET", "/v1/schedules/nightly")).paused, "paused");
    await page.click(".list tr:has-text('Nightly') button:has-text('Run now')");
    await page.waitForSelector(".inspector-head h2:has-text('nightly')");
    await page.goto(`${master.url}/#/results`);
    await page.waitForSelector(".empty:has-text('No results waiting')");
    await page.goto(`${master.url}/#/audit`);
    await page.waitForSelector(".list tbody tr:has-text('drain a worker'):has-text('local API'):has-text('127.0.0.1')");
    await page.click(".list tbody tr:has-text('pause a schedule') a:has-text('pause a schedule')");
    await page.waitForSelector(".list tbody tr:has-text('drain a worker')", { state: "detached" });
    assert.match(page.url(), /#\/audit\?action=pauseSchedule$/);
    await page.waitForSelector(".list td:has-text('paused: false → true')");
    await page.click(".list tbody tr a:has-text('nightly')");
    await page.waitForSelector(".detail h2:has-text('Nightly')");
    await page.goBack();
    await page.selectOption(".filters select", { label: "drain a worker" });
    await page.waitForSelector(".list tbody tr:has-text('drain a worker')");
    await page.goto(`${master.url}/#/audit`);
    const range = page.locator(".segments a", { hasText: "1 h" });
    await range.click();
    await page.waitForSelector(".list tbody tr:has-text('drain a worker')");
    assert.match(page.url(), /#\/audit\?range=1h$/);
    assert.equal(await range.getAttribute("aria-current"), "true");
    await page.goto(`${master.url}/#/audit?range=24h&action=never`);
    await page.waitForSelector(".empty:has-text('No entries for this filter')");
    await master.call("POST", "/v1/workers/w-1/resume");
});

async function succeeded(name) {
    const { id } = await master.push({ name, keep_result: true });
    const { jobs } = await master.call("POST", "/v1/claims", { worker: "w-1", names: [name] });
    const report = { lease: jobs[0].lease, type: "success", finished_at: new Date().toISOString(), result: { pages: 3 } };
    await master.call("POST", `/v1/jobs/${id}/outcome`, report);
    return id;
}

test("a result that waits is found by the filter, saved and thrown away", async () => {
    const [kept, other] = [await succeeded("kept.one"), await succeeded("kept.other")];
    await open("#/results");
    await page.waitForSelector(".list tbody tr >> nth=1");
    await page.fill("#filter", "kept.one");
    await page.press("#filter", "Enter");
    await page.waitForSelector(`.list tr:has-text('${other}')`, { state: "detached" });
    assert.deepEqual(await axe(page), []);
    // What can be done with a row is in sight as a whole.
    assert.deepEqual(await page.$$eval(".list td.do", (all) => all.map((each) => each.scrollWidth - each.clientWidth)), [0]);
    const saving = page.waitForEvent("download");
    await page.click(".list a:has-text('Save as JSON')");
    const saved = await saving;
    assert.equal(saved.suggestedFilename(), `result-${kept}.json`);
    assert.deepEqual(JSON.parse(readFileSync(await saved.path(), "utf8")).result, { pages: 3 });
    const packing = page.waitForEvent("download");
    await page.click(".list button:has-text('MessagePack')");
    assert.ok(readFileSync(await (await packing).path()).includes(Buffer.from("a5706167657303", "hex"))); // "pages": 3
    await page.click(".list button:has-text('Discard')");
    await page.click("dialog button.danger");
    await page.waitForSelector(".empty:has-text('Nothing matches this filter')");
    const { results } = await master.call("GET", "/v1/results");
    assert.deepEqual(
        results.map((each) => each.id),
        [other],
    );
});

test("what a worker runs is taken from it, its failures are shown, and one that is called is forgotten", async () => {
    await failed("taken.failed", "no route");
    const { id } = await master.push({ name: "taken" });
    await master.call("POST", "/v1/claims", { worker: 'w "2"', names: ["taken"] });
    await master.call("PUT", "/v1/workers/called", { url: "http://127.0.0.1:9/", names: ["never"], slots: 1 });
    await open("#/workers");
    const row = (name) => `.list tr:has-text('${name}')`;
    await page.click(`${row('w "2"')} button:has-text('Requeue')`);
    await page.waitForSelector("dialog .amber:has-text('they run twice')");
    await page.click("dialog button.primary:has-text('Requeue 1 job')");
    await until(async () => (await state(id)) === "ready", "ready again");
    await page.waitForSelector(".toast:has-text('Requeue 1 job')");
    assert.equal(await page.locator(".toasts button:has-text('Undo')").count(), 0); // others may run it already
    await master.call("POST", `/v1/jobs/${id}/cancel`, {});
    await page.goto(`${master.url}/#/workers`);
    await page.click(`${row("called")} button:has-text('Forget')`);
    await page.click("dialog button.danger");
    await page.waitForSelector(row("called"), { state: "detached" });
    // One that asks for jobs can be forgotten when it is lost; before that it would be back at once.
    assert.equal(await page.locator(`${row('w "2"')} button:has-text('Forget')`).count(), 0);
    await page.route("**/v1/workers?*", async (route) => {
        const answer = await route.fetch();
        const body = await answer.json();
        await route.fulfill({ response: answer, json: { ...body, workers: body.workers.map((each) => ({ ...each, state: "lost" })) } });
    });
    await page.reload();
    await page.click(`${row('w "2"')} button:has-text('Forget')`);
    await page.waitForSelector("dialog:has-text('listed again when it asks for jobs')");
    await page.click("dialog .dialog-end button >> nth=-1");
    await page.waitForSelector(row('w "2"'), { state: "detached" });
    await page.unroute("**/v1/workers?*");
    await page.goto(`${master.url}/#/workers`);
    await page.click(`${row("w-1")} a[title*='Causes']`);
    await page.waitForSelector(".list tr:has-text('no route')");
    await page.fill("#filter", '"no route" w-1');
    await page.press("#filter", "Enter");
    await until(() => page.url().includes("no+route"), "applied");
    await page.waitForSelector(".list tr:has-text('no route')");
    await page.goto(`${master.url}/#/failures?filter=nothing.*`);
    await page.waitForSelector(".empty:has-text('Nothing matches this filter')");
});

test("the palette begins a new job, a schedule and a pause from every screen, and finds a job by a part of its ID", async () => {
    const { id } = await master.push({ name: "palette.one" });
    await open("#/workers");
    await page.waitForSelector(".page h1");
    const choose = async (text, found) => {
        await page.keyboard.press("Control+k");
        await page.waitForSelector("dialog .palette-input");
        await page.keyboard.type(text);
        await page.waitForSelector(`dialog [role=option] >> nth=0 >> text=${found}`);
        await page.keyboard.press("Enter");
    };
    for (const [text, found, wanted] of [
        ["new job…", "New job…", "dialog [data-part=name]"],
        ["new sched", "New schedule…", "dialog h2:has-text('New schedule')"],
        ["new jobm", "New JobMatcher…", "dialog #expression"],
        ["pause j", "Pause jobs…", "dialog .stops"],
    ]) {
        await choose(text, found);
        await page.waitForSelector(wanted);
        await page.keyboard.press("Escape");
        await page.waitForSelector("dialog[open]", { state: "detached" });
    }
    await choose(id.slice(-12).toUpperCase(), `${id}: palette.one`);
    await page.waitForSelector(".inspector-head h2:has-text('palette.one')");
});

test("a name is paused from the overview, and says so", async () => {
    await master.push({ name: 'quoted "name"' });
    await open("#/overview");
    await page.click("button[aria-label='Pause quoted \"name\"']");
    await page.waitForSelector("dialog .stops:has-text('1 ready job stops')");
    await page.fill("dialog input[required]", "vendor down");
    await page.click("dialog button.primary");
    await page.waitForSelector(".p-names tr:has-text('quoted') .amber");
    const { pauses } = await master.call("GET", "/v1/pauses");
    await master.call("POST", "/v1/resume", { id: pauses[0].id });
    await page.waitForSelector("button[aria-label='Pause quoted \"name\"']");
});

test("a new job is made once, also by double clicks and after a lost answer, and a refusal stands at its field", async () => {
    await open("#/jobs");
    await page.click(".new-job");
    assert.deepEqual(await axe(page), []);
    await page.fill("dialog [data-part=name]", "made.here");
    await page.fill("dialog [data-part=argument]", '{"amount": 1.0,\n "big": 9007199254740993, }');
    await page.waitForSelector("dialog .red:has-text('line 2, character 27')");
    await page.fill("dialog [data-part=argument]", '{"b": 1.0, "a": 9007199254740993, "bytes": {"$bin": "AAE="}}');
    await page.fill("dialog [data-part=priority]", "－７"); // as an input method types it
    await page.fill("dialog [data-part=tags]", `one, ${"x".repeat(300)}`);
    await page.selectOption("dialog .start select", "after");
    await page.fill("dialog [data-part=after]", "2 h");
    await page.click("dialog summary");
    await page.fill("dialog [data-part=others]", '{"backoff": {"base": 7}, "unique": {"key": "u-1"}}');
    await page.click("dialog button.primary");
    await page.waitForSelector("dialog .labelled:has([data-part=tags]) .red");
    await until(() => page.evaluate(() => document.activeElement.dataset.part === "tags"), "the refused field has the focus");
    await page.fill("dialog [data-part=tags]", "one, two");
    let lost = 0;
    await page.route("**/v1/jobs", async (route) => {
        if (route.request().method() !== "POST") return route.continue();
        await route.fetch();
        ++lost;
        return route.abort();
    });
    await page.dblclick("dialog button.primary");
    await page.waitForSelector("dialog .red:has-text('is not known')");
    await page.unroute("**/v1/jobs");
    assert.equal(lost, 1);
    await page.click("dialog button.primary");
    await page.waitForSelector(".inspector-head h2:has-text('made.here')");
    await page.waitForSelector(".toast:has-text('made.here is enqueued')");
    const { jobs } = await master.call("GET", "/v1/jobs?name=made.here");
    assert.equal(jobs.length, 1);
    const text = await (await fetch(`${master.url}/v1/jobs/${jobs[0].id}`, { headers: { Accept: "application/json" } })).text();
    assert.ok(text.includes('"argument":{"b":1.0,"a":9007199254740993,"bytes":{"$bin":"AAE="}}'), text);
    const [made] = jobs;
    assert.deepEqual([made.priority, made.tags, made.state, made.backoff.base], [-7, ["one", "two"], "scheduled", 7]);
    assert.ok(Math.abs(Date.parse(made.run_at) - Date.parse(made.created_at) - 7_200_000) < 1000);
});

test("rare fields of a job have inputs, which leave the rest of its JSON as it is written", async () => {
    const first = await master.push({ name: "first.one" });
    await open("#/jobs");
    await page.click("button:has-text('New job')");
    await page.fill("dialog [data-part=name]", "rare");
    await page.click("dialog summary");
    await page.fill("dialog [data-part=others]", '{"then": [{"name": "next", "argument": {"n": 9007199254740993, "f": 1.0}}]}');
    const field = (text) => page.locator("dialog details").getByLabel(text);
    await field("First wait").fill("5 s");
    await field("Added by chance").fill("５０"); // as an input method types it
    await field("Jobs that must succeed").fill(first.id);
    await page.selectOption("dialog details label:has-text('When one of them fails') select", "run");
    await page.check("dialog details label:has-text('At most one such job') input");
    await field("Unique key").fill("2026-01");
    await page.click("dialog button:has-text('Add a window')");
    await page.fill("dialog .window input.clock >> nth=0", "08:30");
    await page.fill("dialog details label:has-text('Time zone') input", "Asia/Tokyo");
    assert.deepEqual(await axe(page), []);
    assert.match(await page.inputValue("dialog [data-part=others]"), /9007199254740993,\s+"f": 1\.0/);
    await page.click("dialog button:has-text('Enqueue')");
    await page.waitForSelector(".inspector-head h2:has-text('rare')");
    const made = await job(new URLSearchParams(page.url().split("?")[1]).get("job"));
    assert.equal(made.backoff.base, 5);
    assert.equal(made.backoff.jitter, 0.5);
    assert.deepEqual([made.depends_on, made.on_dependency_failure, made.unique.key], [[first.id], "run", "2026-01"]);
    const [{ from, to, tz }] = made.windows;
    assert.deepEqual([from, to, tz], ["08:30", "17:00", "Asia/Tokyo"]);
    assert.equal(made.then[0].name, "next");
    await page.goto(`${master.url}/#/schedules`);
    await page.click("button:has-text('New schedule')");
    await page.fill("dialog input.mono >> nth=0", "by-inputs");
    await page.fill("dialog label:has-text('Name') input", "by.inputs");
    await page.fill("dialog label:has-text('Retries') input", "3");
    await page.click("dialog button:has-text('Save')");
    await until(() => master.call("GET", "/v1/schedules/by-inputs").then((found) => found.job.max_retry === 3, () => false), "saved");
    const { job: recurring } = await master.call("GET", "/v1/schedules/by-inputs");
    assert.deepEqual(recurring, { name: "by.inputs", argument: null, max_retry: 3 });
});

test("keys act on the row, and on all that are selected", async () => {
    const made = [];
    for (let each = 0; each < 3; ++each) made.push((await master.push({ name: "by.key" })).id);
    await open("#/jobs?filter=by.key");
    await page.waitForSelector(".rows .row >> nth=2");
    await page.fill("#filter", "rsdw"); // letters that are typed do nothing
    await page.focus(".jobtable");
    await page.keyboard.press("Home");
    const first = await page.$eval(".rows .row.cursor a", (link) => new URLSearchParams(link.href.split("?")[1]).get("job"));
    await page.keyboard.press("s");
    await until(async () => (await job(first)).tracked, "starred");
    await page.keyboard.press("Delete");
    await until(async () => (await state(first)) === "cancelled", "cancelled");
    await page.keyboard.press("w");
    await page.waitForSelector(".inspector-head h2:has-text('by.key')");
    await page.goto(`${master.url}/#/jobs?filter=by.key&state=ready`);
    await page.waitForSelector(".rows .row >> nth=1");
    await page.click(".rows .row >> nth=0 >> input");
    await page.click(".rows .row >> nth=1 >> input");
    await page.focus(".jobtable");
    await page.keyboard.press("Shift+D");
    await page.click("dialog button.danger:has-text('Delete 2 jobs')");
    await until(async () => (await master.call("GET", "/v1/jobs?name=by.key")).jobs.length === 1, "both are deleted");
    assert.ok(made.includes(first));
});

test("a value of an argument filters, is excluded and pauses; its bytes are shown", async () => {
    const argument = '{"tenant": "a\\"b", "big": 9007199254740993, "list": [1.5]}';
    const { id } = await master.push(`{"name": "valued", "argument": ${argument}}`);
    await master.push({ name: "valued", argument: { tenant: "other" } });
    await open(`#/jobs?filter=valued&job=${id}&tab=argument`);
    const choose = async (value, text) => {
        await page.hover(`.tree li:has(> .leaf:has-text('${value}'))`);
        await page.click(`.tree li:has(> .leaf:has-text('${value}')) > .value`);
        await page.click(`dialog button:has-text('${text}')`);
    };
    const rows = (n) => until(() => page.$$eval(".rows .row", (all) => all.length).then((found) => found === n), `${n} rows`);
    await rows(2);
    await choose("9007199254740993", "And it");
    await rows(1);
    await page.goBack();
    await rows(2);
    await choose('"a"b"', "Exclude it");
    await rows(1);
    await page.goBack();
    await choose("1.5", "Filter by it");
    await until(() => decodeURIComponent(page.url()).includes("filter=job.argument.list[0]+==+1.5"), "filtered");
    await choose('"a"b"', "Pause jobs");
    assert.equal(await page.inputValue("dialog input.mono"), 'job.argument.tenant == "a\\"b"');
    assert.deepEqual(await axe(page), []);
    await page.keyboard.press("Escape");
    await page.click(".payload button:has-text('Hex')");
    await page.waitForSelector(".hex:has-text('cf 00 20 00 00 00 00 00 01')");
    const saving = page.waitForEvent("download");
    await page.click(".payload button:has-text('MessagePack')");
    const saved = await saving;
    assert.equal(saved.suggestedFilename(), `argument-${id}.msgpack`);
    const bytes = readFileSync(await saved.path());
    assert.equal(bytes[0], 0x83);
    assert.ok(bytes.includes(Buffer.from("cf0020000000000001", "hex")));
});

test("several causes are retried by one operation", async () => {
    const [one, two] = [await failed("several.one", "first cause"), await failed("several.two", "second cause")];
    await open('#/failures?filter="several."');
    await page.check(".list tr:has-text('first cause') input");
    await page.check(".list tr:has-text('second cause') input");
    assert.deepEqual(await axe(page), []);
    await page.click(".bulk button:has-text('Retry 2 jobs')");
    await page.click("dialog button.primary:has-text('Retry 2 jobs')");
    for (const id of [one, two]) await until(async () => (await state(id)) === "ready", "ready again");
    for (const id of [one, two]) await master.call("POST", `/v1/jobs/${id}/cancel`, {});
});

test("a lost answer and other fields after it do not make a second job unasked", async () => {
    await open("#/jobs");
    await page.click(".new-job");
    await page.fill("dialog [data-part=name]", "made.lost");
    await page.route("**/v1/jobs", async (route) => {
        if (route.request().method() !== "POST") return route.continue();
        await route.fetch();
        return route.abort();
    });
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog .red:has-text('is not known')");
    await page.unroute("**/v1/jobs");
    await page.fill("dialog [data-part=priority]", "3");
    await page.click("dialog button.primary");
    await page.waitForSelector("dialog .note:has-text('made a job already')");
    assert.ok(await page.isDisabled("dialog button.primary"));
    const made = async () => (await master.call("GET", "/v1/jobs?name=made.lost")).jobs.map((each) => each.priority);
    assert.deepEqual(await made(), [0]);
    await page.click("dialog button:has-text('Make another job')");
    await page.click("dialog button.primary");
    await until(async () => (await made()).length === 2, "the second, as asked for");
});

test("a copy takes all fields over, and can be changed first", async () => {
    const like = await master.call(
        "POST",
        "/v1/jobs",
        '{"name": "copy.me", "argument": {"z": 1.50, "a": 18446744073709551615}, "priority": 4, "max_retry": 3, "timeout": 90, ' +
            '"group": "g", "keep_result": true, "unique": {"key": "k"}, ' +
            '"then": [{"name": "copy.then", "argument": {"n": 2.0}}], "backoff": {"base": 9}}',
    );
    await open(`#/jobs?job=${like.id}`);
    await page.click(".inspector .actions button:has-text('Duplicate')");
    await page.waitForSelector("dialog [data-part=name]");
    assert.equal(await page.inputValue("dialog [data-part=name]"), "copy.me");
    await page.fill("dialog [data-part=priority]", "5");
    await page.click("dialog button.primary");
    await until(async () => !page.url().includes(like.id), "the copy is opened");
    const { jobs } = await master.call("GET", "/v1/jobs?name=copy.me");
    assert.equal(jobs.length, 2);
    const [, copy] = jobs;
    const text = await (await fetch(`${master.url}/v1/jobs/${copy.id}`, { headers: { Accept: "application/json" } })).text();
    assert.ok(text.includes('"argument":{"z":1.5,"a":18446744073709551615}'), text);
    assert.ok(text.includes('"argument":{"n":2.0}'), text);
    assert.deepEqual(
        [copy.priority, copy.max_retry, copy.timeout, copy.group, copy.keep_result, copy.unique, copy.backoff.base],
        [5, 3, 90, "g", true, undefined, 9],
    );
});

const argumentText = async (id) =>
    /"argument":(.*?),"argument_bytes"/.exec(
        await (await fetch(`${master.url}/v1/jobs/${id}`, { headers: { Accept: "application/json" } })).text(),
    )[1];
const exact = '{"z":1.0,"10":9007199254740993,"a":{"$bin":"AAE="},"note":"old","e":1e300}';

test("an edit of one field leaves all others as they are, names what it changes, and can be taken back", async () => {
    const { id } = await master.call("POST", "/v1/jobs", `{"name": "edit.me", "argument": ${exact}, "delay": 3600, "tags": ["a"]}`);
    const stored = await argumentText(id);
    const runAt = (await job(id)).run_at;
    await open(`#/jobs?job=${id}`);
    const sent = [];
    page.on("request", (request) => request.method() === "PATCH" && sent.push(request.postData()));
    await page.click(".inspector .actions button:has-text('Edit')");
    const text = await page.inputValue("dialog [data-part=argument]");
    await page.fill("dialog [data-part=argument]", text.replace('"old"', '"new"'));
    await page.waitForSelector("dialog [role=status]:has-text('Changes: Argument (JSON)')");
    await page.fill("dialog .labelled:has-text('Reason') input", "wrong address");
    await page.click("dialog button.primary");
    await page.waitForSelector(".toast:has-text('edit.me is changed: Argument (JSON)')");
    assert.equal(await argumentText(id), stored.replace('"old"', '"new"'));
    assert.equal(sent.length, 1);
    assert.match(sent[0], /^\{"argument":\{/);
    assert.ok(!sent[0].includes("priority") && sent[0].includes("9007199254740993"));
    assert.equal((await job(id)).run_at, runAt);
    assert.equal((await job(id)).history.at(-1).reason, "wrong address");
    await page.click(".toast button:has-text('Undo')");
    await until(async () => (await argumentText(id)) === stored, "as before");
    await page.click(".inspector .actions button:has-text('Edit')");
    await page.fill("dialog [data-part=retries]", "1000");
    await page.click("dialog button.primary");
    await page.waitForSelector("dialog .labelled:has([data-part=retries]) .red");
    await page.fill("dialog [data-part=retries]", "2");
    await page.selectOption("dialog .start select", "once");
    await page.click("dialog button.primary");
    await until(async () => (await state(id)) === "ready" && (await job(id)).max_retry === 2, "at once");
    assert.equal(await argumentText(id), stored);
});

test("two edits of one job: what both changed is shown, and nothing is overwritten unasked", async () => {
    const { id } = await master.push({ name: "edit.both", argument: { n: 1 }, tags: ["a"] });
    await open(`#/jobs?job=${id}`);
    await page.click(".inspector .actions button:has-text('Edit')");
    await page.fill("dialog [data-part=priority]", "5");
    await page.fill("dialog [data-part=tags]", "mine");
    await master.call("PATCH", `/v1/jobs/${id}`, { priority: -4, max_retry: 7 });
    await page.click("dialog button.primary");
    await page.waitForSelector("dialog .conflict li:has-text('Priority: -4')");
    assert.equal(await page.$("dialog .conflict li:has-text('Tags')"), null);
    assert.deepEqual(await axe(page), []);
    assert.deepEqual((await job(id)).tags, ["a"]);
    await page.click("dialog .conflict button:has-text('Take these')");
    assert.equal(await page.inputValue("dialog [data-part=priority]"), "-4");
    assert.equal(await page.inputValue("dialog [data-part=retries]"), "7");
    await page.click("dialog button.primary");
    await until(async () => String((await job(id)).tags) === "mine", "the tags");
    assert.deepEqual([(await job(id)).priority, (await job(id)).max_retry], [-4, 7]);
    await master.call("POST", `/v1/jobs/${id}/cancel`, {});
});
