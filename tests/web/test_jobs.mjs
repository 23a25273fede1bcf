// The list of jobs and the inspector: live, filtered, frozen, by address, with hostile jobs, and over a restart of the master.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { axe, Browser, Master, until } from "./harness.mjs";

let master, browser, page;
before(async () => {
    master = await new Master().start();
    browser = await new Browser().start();
    for (let each = 0; each < 30; ++each)
        await master.push({ name: each % 2 ? "mail.send" : "img.resize", argument: { n: each }, priority: each % 3 });
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
const names = () => page.$$eval(".rows .row .cell-name", (cells) => cells.map((cell) => cell.textContent));
// The text of the filter, in the browser's own field or in the editor that takes its place.
const typed = () =>
    page.$eval("#filter", (field) => field.value ?? (field.querySelector(".cm-placeholder") ? "" : field.textContent));
const hash = () => page.evaluate(() => location.hash);

test("a job that is pushed appears by itself, also in the tabs and on a second page", async () => {
    await open("#/jobs?state=ready");
    const other = await browser.page(`${master.url}/#/jobs`);
    await page.waitForSelector(".rows .row");
    await other.waitForSelector(".rows .row");
    await master.push({ name: "brand.new", priority: -9 });
    for (const each of [page, other])
        await until(
            () => each.$$eval(".rows .row .cell-name", (cells) => cells.some((cell) => cell.textContent === "brand.new")),
            "the new job",
        );
    await until(() => page.$eval(".tab[aria-current] b", (tab) => tab.textContent === "31"), "the tab counts it");
    assert.deepEqual(other.wrong, []);
    await other.context().close();
});

test("the filter is applied by Enter, is in the address, and Back and Forward go through it", async () => {
    await open("#/jobs");
    await page.waitForSelector(".rows .row");
    await page.fill("#filter", "mail.*");
    assert.equal(await hash(), "#/jobs");
    assert.ok((await names()).includes("img.resize"), "typed text filters nothing yet");
    await page.press("#filter", "Enter");
    await until(async () => (await names()).length === 15 && (await names()).every((name) => name === "mail.send"), "only mail");
    assert.equal(await hash(), "#/jobs?filter=mail.*");
    await until(() => page.$eval(".tabs .tab b", (tab) => tab.textContent === "15"), "counts under the filter");
    await page.click(".tabs a:has-text('scheduled')");
    await page.waitForSelector(".empty");
    await page.goBack();
    await until(async () => (await names()).length === 15, "back");
    await page.goBack();
    await until(async () => (await names()).length > 15, "back again");
    assert.equal(await typed(), "");
    await page.goForward();
    await until(async () => (await names()).length === 15, "forward");
    assert.equal(await typed(), "mail.*");
});

test("a wrong expression says where it is wrong, and the typed text stays", async () => {
    await open("#/jobs");
    await page.fill("#filter", "job.priority > > 3");
    await page.press("#filter", "Enter");
    await page.waitForSelector(".filter-says[role=alert]");
    assert.match(await page.textContent(".filter-says"), /^Character \d+: /);
    assert.equal(await typed(), "job.priority > > 3");
});

const editor = async () => {
    await page.focus("#filter");
    await page.waitForSelector(".filter .cm-content#filter");
};

test("the filter is an editor once somebody goes into it: colours, the place of a fault, fields and values of real jobs", async () => {
    await open("#/jobs");
    await page.waitForSelector(".rows .row");
    assert.equal(await page.$(".cm-content"), null, "it is not loaded before");
    const parts = () => page.evaluate(() => performance.getEntriesByType("resource").filter((each) => /part-/.test(each.name)).length);
    const before = await parts();
    await page.keyboard.press("/");
    await editor();
    assert.ok((await parts()) > before);
    assert.deepEqual(await axe(page), []);
    await page.keyboard.type("j", { delay: 20 });
    const offers = ".cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled)";
    const offered = (text) => page.waitForSelector(`${offers} li:has-text('${text}')`);
    await offered("job.argument.n");
    await page.keyboard.type("ob.na");
    await offered("job.name");
    await page.keyboard.press("ArrowDown");
    await page.waitForSelector(".cm-tooltip-autocomplete li[aria-selected]");
    await page.keyboard.press("Enter");
    assert.equal(await typed(), "job.name");
    assert.equal(await hash(), "#/jobs", "Enter has taken the word, and filtered nothing");
    await page.keyboard.type(' == "m');
    await offered("mail.send");
    await page.keyboard.press("ArrowDown");
    await page.waitForSelector(".cm-tooltip-autocomplete li[aria-selected]");
    await page.keyboard.press("Enter");
    await page.keyboard.type(" && job.argument.n > 20");
    assert.equal(await page.textContent(".cm-string"), '"mail.send"');
    assert.equal(await page.textContent(".cm-number"), "20");
    await page.keyboard.press("Enter");
    await until(async () => (await names()).length === 5, "n of 21, 23, 25, 27, 29");
    await page.press("#filter", "Control+a");
    await page.waitForSelector(".cm-selecting"); // as a person, who selects some time before typing
    await page.keyboard.insertText("job.name == 'メール' && job.priority > > 3");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".cm-fault");
    const at = Number(/\d+/.exec(await page.textContent(".filter-says"))[0]);
    const offset = await page.$eval(".cm-fault", (mark) => {
        const range = new Range();
        range.setStart(mark.closest(".cm-line"), 0);
        range.setEndBefore(mark);
        return range.toString().length;
    });
    assert.equal(offset + 1, at, "what is underlined is what the master names");
    await page.keyboard.press("Control+z");
    await page.waitForSelector(".cm-fault", { state: "detached" });
});

test("an Enter of an input method does not apply the filter", async () => {
    await open("#/jobs");
    await page.fill("#filter", "メール");
    await page.$eval("#filter", (field) =>
        field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true })),
    );
    assert.equal(await hash(), "#/jobs");
});

test("the inspector opens by a click and by its address, and says why the job does not run", async () => {
    await open("#/jobs?state=ready");
    await page.waitForSelector(".rows .row");
    await page.click(".rows .row:has-text('mail.send')");
    await page.waitForSelector(".gates .gate");
    const id = new URLSearchParams((await hash()).split("?")[1]).get("job");
    assert.equal(await page.textContent(".inspector .ids code"), id);
    assert.match(await page.textContent(".why"), /worker/i);
    const shown = (await page.$$(".gates .gate")).length;
    const explained = await master.call("GET", `/v1/jobs/${id}/explain`);
    assert.equal(shown, explained.gates.length);
    await page.goto("about:blank");
    await page.goto(`${master.url}/#/jobs?job=${id}&tab=argument`);
    await page.waitForSelector(".tree");
    await page.keyboard.press("Escape");
    await until(async () => !(await hash()).includes("job="), "Escape closes");
    assert.equal(await page.$(".inspector"), null);
});

test("keys walk through the rows", async () => {
    await open("#/jobs?state=ready");
    await page.waitForSelector(".rows .row");
    await page.focus(".jobtable");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".inspector-head");
    assert.equal(await page.getAttribute(".row.current", "aria-rowindex"), "4");
    await page.focus(".jobtable");
    await page.keyboard.press("x");
    await page.waitForSelector(".row.ticked");
});

const shownIds = () =>
    page.$$eval(".rows .row .cell-name a", (links) => links.map((link) => new URLSearchParams(link.href.split("?")[1]).get("job")));
const stateOf = async (id) => (await master.call("GET", `/v1/jobs/${id}`)).state;

test("keys act on the job that they were brought to, also when rows come above it, and on none when it has gone", async () => {
    const made = [];
    for (let each = 0; each < 3; ++each) made.push((await master.push({ name: "stay.put", priority: 5 })).id);
    await open("#/jobs?filter=stay.put&state=ready");
    await page.waitForSelector(".rows .row >> nth=2");
    await page.focus(".jobtable");
    await page.keyboard.press("Home");
    const [first, second] = await shownIds();
    const above = (await master.push({ name: "stay.put", priority: -5 })).id;
    await until(async () => (await shownIds())[0] === above, "a row above");
    await page.keyboard.press("s");
    await until(async () => (await master.call("GET", `/v1/jobs/${first}`)).tracked, "the job of before is starred");
    await master.call("POST", `/v1/jobs/${first}/cancel`);
    await until(async () => !(await shownIds()).includes(first), "it leaves the list");
    await page.keyboard.press("Delete");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("s");
    await until(async () => (await master.call("GET", `/v1/jobs/${second}`)).tracked, "the next one is starred");
    for (const id of [above, ...made.filter((each) => each !== first)]) assert.equal(await stateOf(id), "ready");
});

test("a range goes from the job that was ticked, wherever its row is now, and rows stay while the pointer is on them", async () => {
    const made = [];
    for (let each = 0; each < 4; ++each) made.push((await master.push({ name: "in.range", priority: 5 })).id);
    await open("#/jobs?filter=in.range&state=ready");
    await page.waitForSelector(".rows .row >> nth=3");
    const before = await shownIds();
    await page.click(".rows .row >> nth=1 >> input");
    const above = (await master.push({ name: "in.range", priority: -5 })).id;
    await page.waitForSelector(".list-foot button.link:has-text('1 new')");
    assert.deepEqual(await shownIds(), before);
    await page.mouse.move(2, 2);
    await until(async () => (await shownIds())[0] === above, "a row above");
    await page.click(".rows .row >> nth=3 >> input", { modifiers: ["Shift"] });
    await until(async () => (await page.$$(".rows .row.ticked")).length === 2, "two are ticked");
    const ticked = await page.$$eval(".rows .row", (rows) => rows.map((row) => row.classList.contains("ticked")));
    assert.deepEqual(ticked, [false, false, true, true, false]);
});

test("a frozen list whose rows cannot be read says so, does not ask without end, and goes on; one that has ended says that", async () => {
    await master.call("POST", "/v1/jobs/batch", { jobs: Array.from({ length: 400 }, (_, n) => ({ name: "ice.cold", argument: { n } })) });
    await open("#/jobs?filter=ice.cold");
    await page.waitForSelector(".rows .row");
    await page.click(".list-foot button:has-text('Freeze')");
    await page.waitForSelector(".list-foot:has-text('400 rows')");
    const refusal = (status, code, detail) => ({
        status,
        contentType: "application/problem+json",
        body: JSON.stringify({ type: "about:blank", title: "", status, code, detail }),
    });
    let tries = 0;
    await page.route("**/v1/views/*", (route) => {
        ++tries;
        return route.fulfill(refusal(503, "store_unavailable", "Redis hangs."));
    });
    await page.focus(".jobtable");
    await page.keyboard.press("End");
    await page.waitForSelector(".list-foot .red:has-text('Redis hangs.')");
    await page.evaluate(
        () =>
            new Promise((resolve) => {
                let frames = 0;
                const next = () => (++frames < 30 ? requestAnimationFrame(next) : resolve());
                next();
            }),
    );
    assert.ok(tries < 10, `${tries} tries at once`);
    await page.unroute("**/v1/views/*");
    await page.waitForSelector(".rows .row[aria-rowindex='401'] .cell-name", { timeout: 60_000 });
    await page.waitForSelector(".list-foot .red", { state: "detached" });
    await page.route("**/v1/views/*", (route) => route.fulfill(refusal(404, "view_not_found", "There is no such view.")));
    await page.keyboard.press("Home");
    await page.$eval(".jobtable", (table) => (table.scrollTop = 5000));
    await page.waitForSelector(".empty a:has-text('Go live')", { timeout: 60_000 });
});

const titles = () => page.$$eval(".row.head .cell-head", (cells) => cells.map((cell) => cell.dataset.column));
const widthOf = async (column) => {
    const cell = await page.waitForSelector(`.row.head [data-column="${column}"]`);
    return Math.round((await cell.boundingBox()).width);
};
const blockStorage = () =>
    Object.defineProperty(window, "localStorage", {
        get() {
            throw new DOMException("denied", "SecurityError");
        },
    });

test("columns are chosen and moved, stand in the address, and are kept for their tab", async () => {
    await open("#/jobs?state=ready");
    await page.waitForSelector(".rows .row");
    const usual = await titles();
    assert.ok(!usual.includes("size") && usual.includes("tags"));
    await page.click(".choose-columns");
    assert.deepEqual(await axe(page), []);
    await page.focus("dialog li:has-text('Argument size') input");
    await page.keyboard.press("Space");
    await page.click("dialog li:has-text('Tags') input");
    await page.click("dialog button[aria-label='Move Name up']");
    await page.keyboard.press("Escape");
    const chosen = ["name", "state", ...usual.slice(2).filter((each) => each !== "tags"), "size"];
    assert.deepEqual(await titles(), chosen);
    assert.match(await page.textContent(".rows .row .cell-size"), /\d+\u00a0B/);
    assert.deepEqual(decodeURIComponent((await hash()).split("cols=")[1]).split(","), chosen);
    await page.goBack();
    await until(async () => String(await titles()) === String(usual), "Back: the columns of before");
    await page.goForward();
    await until(async () => String(await titles()) === String(chosen), "Forward");
    await page.click(".tabs a:has-text('Starred')");
    await page.click(".tabs a:has-text('ready')");
    assert.equal(await hash(), "#/jobs?state=ready");
    await until(async () => String(await titles()) === String(chosen), "the tab has them again");
    await page.reload();
    await page.waitForSelector(".rows .row");
    assert.deepEqual(await titles(), chosen);
    await page.goto(`${master.url}/#/jobs?state=ready&cols=id%3A300%2Cnothing%2Cname`);
    await until(async () => String(await titles()) === "id,name", "those of a link, without what is none");
    assert.equal(await widthOf("id"), 300);
    await page.click(".choose-columns");
    await page.click("dialog button:has-text('Reset columns')");
    await page.keyboard.press("Escape");
    assert.deepEqual(await titles(), usual);
});

test("columns are sized by the pointer and by keys, also where nothing may be stored", async () => {
    await open("#/jobs");
    await page.addInitScript(blockStorage);
    await page.reload();
    await page.waitForSelector(".rows .row");
    const before = await widthOf("name");
    const edge = await (await page.$('.row.head [data-column="name"] .edge')).boundingBox();
    await page.mouse.move(edge.x + 4, edge.y + 5);
    await page.mouse.down();
    await page.mouse.move(edge.x + 64, edge.y + 5, { steps: 3 });
    await until(async () => (await widthOf("name")) === before + 60, "it follows the pointer");
    assert.doesNotMatch(await hash(), /cols=/);
    await page.mouse.up();
    await until(async () => (await hash()).includes(encodeURIComponent(`name:${before + 60}`)), "its width is in the address");
    const [head, cell] = await Promise.all(
        [".row.head .cell-head >> nth=2", ".rows .row >> nth=0 >> .cell >> nth=2"].map(async (each) => (await page.$(each)).boundingBox()),
    );
    assert.equal(head.x, cell.x, "cells stand below their titles");
    await page.focus('.row.head [data-column="name"] .edge');
    for (let press = 0; press < 3; ++press) await page.keyboard.press("ArrowRight");
    await until(async () => (await widthOf("name")) === before + 108, "wider by keys");
    await page.goBack();
    await until(async () => (await widthOf("name")) === before + 60, "Back: one step for all three");
    await page.click(".tabs a:has-text('ready')");
    await page.click(".tabs a:has-text('All')");
    await until(async () => (await widthOf("name")) === before + 108, "kept with the page");
    await page.dblclick('.row.head [data-column="name"] .edge');
    await until(async () => (await widthOf("name")) === before, "as wide as it needs");
});

test("the order is turned by the title and by the list of orders, and only where the master has it", async () => {
    await open("#/jobs");
    await page.waitForSelector(".rows .row");
    assert.equal(await page.$(".order"), null);
    assert.equal(await page.$(".sort"), null);
    assert.match(await page.getAttribute('.row.head [data-column="name"]', "title"), /choose the tab of one state/);
    await page.click(".tabs a:has-text('ready')");
    const priorities = () => page.$$eval(".rows .row .cell-priority", (cells) => cells.map((cell) => Number(cell.textContent)));
    const sorted = (sign) => async () => {
        const all = await priorities();
        return all.length > 10 && all.every((each, at) => at === 0 || sign * (each - all[at - 1]) >= 0) && all[0] !== all.at(-1);
    };
    await until(sorted(1), "smallest priority first");
    assert.equal(await page.getAttribute('[data-column="priority"]', "aria-sort"), "ascending");
    await page.focus(".sort");
    await page.keyboard.press("Enter");
    await until(sorted(-1), "from the other end");
    assert.equal(await page.getAttribute('[data-column="priority"]', "aria-sort"), "descending");
    assert.match(await hash(), /order=reversed/);
    assert.doesNotMatch(await hash(), /job=/);
    await page.click(".list-foot button:has-text('Freeze')");
    await page.waitForSelector(".list-foot.frozen");
    await until(sorted(-1), "a frozen list has the order, too");
    await page.goBack();
    await page.goBack();
    await until(sorted(1), "back");
    await page.selectOption(".order", "reversed");
    await until(sorted(-1), "by the list of orders");
});

test("spans have room in their columns, in both languages", async () => {
    const spans_s = [59 * 60 + 51, 23 * 3600 + 59 * 60 + 30, 364 * 86400 + 23 * 3600 + 1800];
    for (let each = 0; each < 6; ++each) await master.push({ name: "aged.scheduled", delay: 3600 });
    for (const locale of ["en-US", "ja-JP"]) {
        page = await browser.page("about:blank", { locale });
        await page.route("**/v1/jobs?*", async (route) => {
            const answer = await route.fetch();
            let [at, due] = [0, 0];
            const moment = (span_s) => new Date(Date.now() + span_s * 1000).toISOString();
            const text = (await answer.text())
                .replace(/"created_at": ?"[^"]*"/g, () => `"created_at":"${moment(-spans_s[at++ % 3])}"`)
                .replace(/"run_at": ?"[^"]*"/g, () => `"run_at":"${moment(spans_s[due++ % 3] + 4)}"`);
            await route.fulfill({ response: answer, body: text });
        });
        for (const [query, column] of [
            ["", "age"],
            ["state=ready", "age"],
            ["state=scheduled", "next"],
        ]) {
            await page.goto(`${master.url}/#/jobs?${query}`);
            await page.waitForSelector(`.rows .row .cell-${column}:not(:empty)`);
            const cells = await page.$$eval(`.rows .row .cell-${column}`, (all) =>
                all.map((cell) => [cell.textContent, cell.scrollWidth - cell.clientWidth]),
            );
            assert.ok(cells.some(([text]) => /23\s(h|時間)\s59|24\s(h|時間)|59\s(m|分)\s50/.test(text)), JSON.stringify(cells));
            assert.deepEqual(cells.filter(([, over]) => over > 0), [], `${locale} ${query}`);
            const heads = await page.$$eval(".row.head .cell-title, .row.head .sort", (all) =>
                all.filter((title) => title.scrollWidth > title.clientWidth).map((title) => title.textContent),
            );
            assert.deepEqual(heads, [], `${locale} ${query}`);
        }
        if (locale === "en-US") {
            assert.deepEqual(page.wrong, []);
            await page.context().close();
        }
    }
});

test("a frozen list stays as it was", async () => {
    await open("#/jobs?filter=img.*");
    await until(async () => (await names()).length === 15, "fifteen");
    await page.click(".list-foot button:has-text('Freeze')");
    await page.waitForSelector(".list-foot.frozen");
    assert.match(await hash(), /view=/);
    await until(async () => (await names()).length === 15, "fifteen frozen");
    const added = await master.push({ name: "img.late" });
    await page.reload();
    await until(async () => (await names()).length === 15, "fifteen after a reload");
    await page.click(".list-foot a:has-text('Go live')");
    await until(async () => (await names()).length === 16, "sixteen live");
    await master.call("POST", `/v1/jobs/${added.id}/cancel`, {});
});

test("where no job matches it is said that others match in other states", async () => {
    const { id } = await master.push({ name: "else.where" });
    await open("#/jobs?state=running&filter=else.where");
    await page.waitForSelector(".empty:has-text('1 job matches in other states')");
    await page.click(".empty a:has-text('Search in all states')");
    await until(async () => (await names()).join() === "else.where", "found");
    await master.call("POST", `/v1/jobs/${id}/cancel`, {});
});

test("a row that left its list says what its job is now, frozen or kept by a selection", async () => {
    const { id } = await master.push({ name: "left.behind" });
    const row = ".rows .row:has-text('left.behind')";
    for (const isFrozen of [true, false]) {
        await open("#/jobs?state=ready&filter=left.behind");
        await page.waitForSelector(row);
        if (isFrozen) {
            await page.click(".list-foot button:has-text('Freeze')");
            await page.waitForSelector(`.list-foot.frozen >> text=1 row`);
        } else {
            await page.click(`${row} input[type=checkbox]`);
        }
        await page.waitForSelector(`${row} .state-ready`);
        await master.call("POST", `/v1/jobs/${id}/cancel`, {});
        await page.waitForSelector(`${row}.ghost .state-cancelled`);
        await master.call("POST", `/v1/jobs/${id}/retry`, {});
        await page.waitForSelector(`${row}:not(.ghost) .state-ready`);
        assert.deepEqual(page.wrong, []);
        if (isFrozen) await page.context().close();
    }
    await master.call("POST", `/v1/jobs/${id}/cancel`, {});
});

test("a long list has few rows in the document, wherever it is, also on a large screen of two dots a pixel", async () => {
    const jobs = Array.from({ length: 1000 }, (_, n) => ({ name: "long.list", argument: { n } }));
    for (let batch = 0; batch < 2; ++batch) await master.call("POST", "/v1/jobs/batch", { jobs });
    page = await browser.page(`${master.url}/#/jobs?filter=long.list`, { viewport: { width: 2560, height: 1440 }, deviceScaleFactor: 2 });
    await page.waitForSelector(".rows .row");
    await page.click(".list-foot button:has-text('Freeze')");
    await page.waitForSelector(".list-foot:has-text('2,000 rows')");
    for (const part of [0, 0.31, 0.77, 1]) {
        const at = await page.$eval(
            ".jobtable",
            (table, of) => {
                table.scrollTop = (table.scrollHeight - table.clientHeight) * of;
                return Math.round(of * 1999);
            },
            part,
        );
        const shown = () => page.$$eval(".rows .row", (all) => all.map((row) => Number(row.getAttribute("aria-rowindex")) - 2));
        await until(async () => (await shown()).some((row) => Math.abs(row - at) < 60), `rows near ${at}`);
        assert.ok((await page.$$(".rows .row")).length < 150);
    }
    await master.call("POST", "/v1/operations", { action: "delete", name: "long.list", dry_run: true }).then(({ token }) =>
        master.call("POST", "/v1/operations", { token }),
    );
});

test("fields of a job are only ever texts", async () => {
    const evil = '<img src=x onerror=alert(1)><script>alert(2)</script>{{7*7}}${1}\u202Egnp\u2066 =HYPERLINK("x")';
    const big = "W".repeat(100_000);
    const key = "k<b>".repeat(3);
    const argument = `{"${key}": ${JSON.stringify(evil)}, "big": 9007199254740993, "float": 1.0, "long": "${big}", "10": 1, "2": 2}`;
    const made = await master.call(
        "POST",
        "/v1/jobs",
        `{"name": ${JSON.stringify(evil.split("\u202E")[0])}, "argument": ${argument}, "tags": ["<i>tag</i>"], "group": "<u>g</u>"}`,
    );
    await open(`#/jobs?job=${made.id}&tab=argument`);
    await page.waitForSelector(".tree li li");
    assert.equal(
        await page.$$eval(
            "#console img, #console script, #console b:not(nav b), #console i:not([aria-hidden]), #console u",
            (found) => found.length,
        ),
        0,
    );
    const text = await page.textContent(".tree");
    assert.ok(text.includes("<img src=x onerror=alert(1)>"));
    assert.ok(text.includes("9007199254740993") && text.includes("1.0"));
    assert.ok(text.indexOf("10") < text.lastIndexOf("2"), "keys keep their order");
    assert.ok(text.length < 20_000, "a long text is cut until somebody asks for it");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    for (const tab of ["fields", "history"]) await page.goto(`${master.url}/#/jobs?job=${made.id}&tab=${tab}`);
    await page.waitForSelector(".history li");
    await master.call("POST", `/v1/jobs/${made.id}/cancel`, {});
});

test("a link to a job that is gone, or to none, says so", async () => {
    await open("#/jobs?job=019c1b2e-7a40-7c3e-8d4f-1a2b3c4d5e6f");
    await page.waitForSelector(".inspector .empty:has-text('There is no such job')");
    await page.goto(`${master.url}/#/jobs?job=${encodeURIComponent("no/job#?%")}`);
    await page.waitForSelector('.inspector .empty:has-text("That is no job\'s ID")');
});

test("filters are saved by name, chosen, renamed and deleted, and nobody's is overwritten unasked", async () => {
    await open("#/jobs");
    await page.waitForSelector(".rows .row");
    const dialog = "dialog[open]";
    const openMenu = () => page.click(".saved-open");
    const saved = () => page.$$eval(".saved-choose strong", (all) => all.map((each) => each.textContent));
    const save = async (name) => {
        await page.fill(".saved-form input", name);
        await page.click(".saved-form button[type=submit]");
    };
    await openMenu();
    await page.waitForSelector(`${dialog} .empty`);
    assert.equal(await page.$(".saved-form"), null, "no filter is applied");
    assert.deepEqual(await axe(page), []);
    await page.keyboard.press("Escape");
    await page.fill("#filter", "mail.*");
    await page.press("#filter", "Enter");
    await until(async () => (await hash()) === "#/jobs?filter=mail.*", "applied");
    await openMenu();
    await save("Mail / ünsent #1 ?");
    await until(async () => (await saved()).join() === "Mail / ünsent #1 ?", "saved");
    const [made] = (await master.call("GET", "/v1/filters")).filters;
    assert.deepEqual([made.name, made.screen, made.kind, made.text], ["Mail / ünsent #1 ?", "jobs", "pattern", "mail.*"]);
    assert.deepEqual(await axe(page), []);

    // Somebody else takes the name that is typed here.
    const other = { screen: "jobs", kind: "expression", text: "job.priority > 1" };
    await master.call("PUT", "/v1/filters/Night", other);
    await save("Night");
    await page.waitForSelector(".saved-form .conflict");
    assert.match(await page.textContent(".saved-form .conflict"), /“Night” already\. Nothing was overwritten/);
    assert.deepEqual(
        await page.$$eval(".saved-both code", (all) => all.map((each) => each.textContent)),
        ["job.priority > 1", "mail.*"],
    );
    assert.deepEqual(await axe(page), []);
    // Changed once more before the answer: it is asked again.
    await master.call("PUT", "/v1/filters/Night", { ...other, text: "job.priority > 2" });
    await page.click(".saved-form .conflict .danger");
    await until(() => page.$eval(".saved-both code", (code) => code.textContent === "job.priority > 2"), "asked again");
    await page.click(".saved-form .conflict .danger");
    await until(async () => (await page.$(".saved-form .conflict")) === null, "replaced");
    const night = async () => (await master.call("GET", "/v1/filters")).filters.find((each) => each.name === "Night");
    assert.equal((await night()).text, "mail.*");

    await page.click("button[aria-label='Rename Night']");
    await page.fill("input[aria-label='Rename Night']", "Day");
    await page.keyboard.press("Escape");
    await page.waitForSelector("button[aria-label='Rename Night']");
    await page.click("button[aria-label='Rename Night']");
    await page.fill("input[aria-label='Rename Night']", "Day");
    await page.keyboard.press("Enter");
    await until(async () => (await saved())[0] === "Day", "renamed");
    assert.equal(await night(), undefined);
    await page.click("button[aria-label='Delete Day']");
    await page.click(`${dialog} button.danger`);
    await until(async () => (await saved()).length === 1, "deleted");
    await page.waitForSelector(".toast:has-text('Day')");

    await page.goto(`${master.url}/#/jobs`);
    await page.reload();
    await page.waitForSelector(".rows .row");
    await openMenu();
    await page.click(".saved-choose:has-text('Mail')");
    await until(async () => (await hash()) === "#/jobs?filter=mail.*", "chosen");
    await until(async () => (await names()).every((name) => name === "mail.send"), "filtered");

    // What was applied before is offered without being saved, but not what is applied now.
    const before = `${dialog} section[aria-label='Applied before in this browser'] .saved-choose`;
    await openMenu();
    await page.waitForSelector(`${dialog} .saved-form`);
    assert.equal(await page.$(before), null);
    await page.keyboard.press("Escape");
    await page.goto(`${master.url}/#/jobs`);
    await openMenu();
    await page.click(`${before}:has-text('mail.*')`);
    await until(async () => (await hash()) === "#/jobs?filter=mail.*", "applied again");

    // Another screen has filters of its own; Ctrl+K finds those of all.
    await page.goto(`${master.url}/#/failures`);
    await openMenu();
    await page.waitForSelector(`${dialog} .empty`);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("saved filter: mail");
    await page.waitForSelector("#palette-0:has-text('ünsent')");
    await page.keyboard.press("Enter");
    await until(async () => (await hash()) === "#/jobs?filter=mail.*", "from Ctrl+K");
});

test("a master that goes away is said at once, and the page goes on when it is back", async () => {
    await open("#/jobs?state=ready");
    await page.waitForSelector(".rows .row");
    await page.waitForSelector(".fresh.good");
    await master.stop("SIGTERM");
    await page.waitForSelector(".banner[role=alert]", { timeout: 30_000 });
    assert.match(await page.textContent(".banner"), /does not answer.*Showing data from .*/s);
    assert.ok((await names()).length > 10, "the last that was known stays");
    await page.waitForSelector(".fresh.bad");
    await master.start();
    await page.waitForSelector(".fresh.good", { timeout: 60_000 });
    assert.equal(await page.$(".banner[role=alert]"), null);
    await master.push({ name: "after.restart", priority: -20 });
    await until(async () => (await names()).includes("after.restart"), "live again");
});

test("a master that was gone for long is found within seconds, by a count-down that is true, without a socket in vain", async () => {
    await open("#/jobs?state=ready");
    await page.waitForSelector(".fresh.good");
    let sockets = 0;
    page.on("websocket", () => ++sockets);
    const asked = [];
    page.on("request", (request) => request.url().includes("/v1/changes") && asked.push(Date.now()));
    await master.stop();
    const shown = [];
    await until(async () => {
        const text = await page.evaluate(() => document.querySelector(".banner .countdown")?.textContent ?? "");
        const left_s = Number(/(\d+)\ss/.exec(text)?.[1] ?? 0);
        if (left_s > 0) shown.push({ at: Date.now(), left_s, tries: asked.length });
        return asked.length >= 8;
    }, "eight tries in vain");
    assert.ok(Math.max(...shown.map(({ left_s }) => left_s)) <= 5, "never long until the next try");
    for (const { at, left_s, tries } of shown) {
        const next = asked[tries];
        if (next) assert.ok(next - at <= left_s * 1000 + 2000, `${left_s} s were said, and it took ${next - at} ms`);
    }
    assert.ok(sockets <= 1, `${sockets} sockets to a master that is gone`);
    await master.start();
    await page.waitForSelector(".fresh.good", { timeout: 60_000 });
});
