// Every screen in both languages and themes: nothing is refused by the policy, no script fails, axe finds nothing, no text is missing.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axe, Browser, Master, until } from "./harness.mjs";

let master, browser, job;
before(async () => {
    master = await new Master().start();
    browser = await new Browser().start();
    const failed = await master.push({ name: "mail.send", argument: { to: "a@example.com" }, max_retry: 0 });
    await master.call("POST", "/v1/matchers", undefined).catch(() => undefined);
    const { jobs } = await master.call("POST", "/v1/claims", { worker: "w-1", names: ["mail.send"] }, { Accept: "application/json" });
    await master.call("POST", `/v1/jobs/${failed.id}/outcome`, {
        lease: jobs[0].lease,
        type: "failure",
        reason: "other",
        finished_at: new Date().toISOString(),
        should_retry: false,
        error: null,
        message: "SMTP timeout connecting to mx.example.com",
    });
    job = await master.push({ name: "report.build", argument: { rows: [1, 2, { deep: "x".repeat(3000) }] }, tags: ["nightly"] });
    await master.push({ name: "report.build", delay: 3600 });
});
after(async () => {
    await browser?.end();
    await master?.end();
});

// Sizes and spans whose number is parted from its unit by the end of a line.
function parted() {
    const measure = /\d[\d.,]*\s(B|[KMGT]iB|ms|s|min|m|h|d|ミ|秒|分|時|日)(?![a-z])/g;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
        for (const match of texts.currentNode.data.matchAll(measure)) {
            const range = document.createRange();
            range.setStart(texts.currentNode, match.index);
            range.setEnd(texts.currentNode, match.index + match[0].length);
            if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(match[0]);
        }
    }
    return found;
}

const places = () => ({
    overview: ["#/overview", ".tile", ".p-names table"],
    jobs: ["#/jobs", ".jobtable .rows .row", ".tabs"],
    failed: ["#/jobs?state=failed", ".jobtable .rows .row"],
    inspector: [`#/jobs?job=${job.id}`, ".gates .gate", ".inspector-head"],
    argument: [`#/jobs?job=${job.id}&tab=argument`, ".tree li"],
    fields: [`#/jobs?job=${job.id}&tab=fields`, ".fields dt"],
    history: [`#/jobs?job=${job.id}&tab=history`, ".history li"],
    failures: ["#/failures", ".list tbody tr"],
    results: ["#/results", ".empty"],
    schedules: ["#/schedules", ".empty"],
    constraints: ["#/constraints", ".empty"],
    workers: ["#/workers", ".list tbody tr"],
    operations: ["#/operations", ".empty"],
    retention: ["#/retention", ".list tbody tr"],
    tokens: ["#/tokens", ".empty"],
    audit: ["#/audit", ".page h1"],
    empty: ["#/jobs?state=cancelled", ".empty"],
});

for (const [locale, colorScheme, width] of [
    ["en-US", "light", 1440],
    ["ja-JP", "dark", 1440],
    ["ja-JP", "light", 390],
    ["en-US", "dark", 390],
]) {
    test(`screens in ${locale}, ${colorScheme}, ${width} px wide`, async () => {
        const page = await browser.page(`${master.url}/`, { locale, colorScheme, viewport: { width, height: 860 } });
        const found = [];
        for (const [name, [hash, ...wanted]] of Object.entries(places())) {
            await page.goto(`${master.url}/${hash}`);
            for (const each of wanted) await page.waitForSelector(each, { timeout: 30_000 });
            found.push(...(await axe(page)).map((each) => `${name}: ${each}`));
            // Nor where there is no room.
            const narrow = ({ style }) => void Object.assign(style, { flex: "none", width: 0 });
            if (name === "argument") await page.$eval(".payload-bar > .faint", narrow);
            assert.deepEqual(await page.evaluate(parted), [], `${name}: a size or a span in two lines`);
            const text = await page.evaluate(() => document.body.innerText);
            assert.doesNotMatch(text, /\b(undefined|NaN|\[object)|\{\w+\}(?!")/, name);
            assert.doesNotMatch(text, /\b(column|panel|field|state|tab|unit|gate|head)\.[a-z]+\b/, `${name}: a key instead of its text`);
            if (locale === "ja-JP") assert.match(text, /[ぁ-んァ-ン一-龠]/, name);
        }
        assert.equal(await page.evaluate(() => document.documentElement.lang), locale.slice(0, 2));
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
        assert.deepEqual(page.wrong, []);
        assert.deepEqual(found, []);
        await page.context().close();
    });
}

test("narrow and wide screens do not scroll sideways", async () => {
    for (const width of [360, 768, 1100, 2560]) {
        const page = await browser.page(`${master.url}/#/overview`, { viewport: { width, height: 800 } });
        for (const [name, [hash, ...wanted]] of Object.entries(places())) {
            await page.goto(`${master.url}/${hash}`);
            await page.waitForSelector(wanted.at(-1), { timeout: 30_000 });
            const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
            assert.ok(over <= 0, `${name} at ${width}: ${over} px too wide`);
        }
        await page.context().close();
    }
});

test("on a phone the tab and the screen of now are in sight", async () => {
    const page = await browser.page("about:blank", { viewport: { width: 390, height: 844 }, locale: "ja-JP" });
    await page.goto(`${master.url}/#/jobs?state=cancelled`);
    const isSeen = (selector) =>
        page.$eval(selector, (link) => {
            const box = link.getBoundingClientRect();
            return box.left >= 0 && box.right <= innerWidth;
        });
    await page.waitForSelector(".tabs .tab[aria-current]");
    await until(() => isSeen(".tabs .tab[aria-current]"), "the tab");
    await page.goto(`${master.url}/#/audit`);
    await page.waitForSelector(".side a[href$=audit][aria-current]");
    await until(() => isSeen(".side a[aria-current]"), "the screen");
    await page.context().close();
});

test("a master that is reached without TLS says so in the last line", async () => {
    for (const [option, said] of [
        ["--behind-tls", "--behind-tls: TLS ends before the master"],
        ["--insecure", "--insecure: what is sent can be read on the way"],
    ]) {
        const without = await new Master(option).start();
        try {
            const page = await browser.page(`${without.url}/#/overview`, { viewport: { width: 360, height: 800 } });
            await page.waitForSelector(`.status >> text="${said}"`, { timeout: 30_000 });
            assert.deepEqual(page.wrong, []);
            await page.context().close();
        } finally {
            await without.end();
        }
    }
});

test("dialogs open by key, keep the focus and give it back", async () => {
    const page = await browser.page(`${master.url}/#/jobs`);
    await page.waitForSelector(".jobtable");
    await page.focus("#filter");
    await page.keyboard.press("Control+k");
    await page.waitForSelector("dialog[open]");
    assert.deepEqual(await axe(page), []);
    await page.keyboard.type("over");
    await page.keyboard.press("Enter");
    await until(() => page.url().endsWith("#/overview"), "the palette opens a screen");
    await page.keyboard.press("?");
    await page.waitForSelector("dialog[open] .keys");
    for (let press = 0; press < 6; ++press) await page.keyboard.press("Tab");
    assert.ok(
        await page.evaluate(
            () => document.querySelector("dialog").contains(document.activeElement) || document.activeElement === document.body,
        ),
    );
    await page.keyboard.press("Escape");
    await until(() => page.evaluate(() => !document.querySelector("dialog[open]")), "Escape closes");
    await page.goto(`${master.url}/#/jobs`);
    await page.focus("#filter");
    await page.keyboard.press("Control+k");
    await page.waitForSelector("dialog[open]");
    await page.keyboard.press("Escape");
    await until(() => page.evaluate(() => document.activeElement?.closest(".filter") !== null), "the focus comes back");
    assert.deepEqual(page.wrong, []);
});

test("the language and the theme change at once and are kept", async () => {
    const page = await browser.page(`${master.url}/#/overview`);
    await page.waitForSelector(".tile");
    await page.click(".side-end button:last-of-type");
    await page.click("dialog label:has-text('日本語')");
    await until(() => page.evaluate(() => document.querySelector("dialog h2")?.textContent === "設定"), "Japanese");
    await page.click("dialog label:has-text('ダーク')");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await page.reload();
    await page.waitForSelector(".tile");
    assert.equal(await page.evaluate(() => document.documentElement.lang), "ja");
    assert.deepEqual(page.wrong, []);
});

test("what the master refuses is said in the language of the page", async () => {
    const filter = encodeURIComponent("job.name == 1 && ");
    for (const [locale, wanted] of [
        ["ja-JP", /[ぁ-んァ-ン一-龠]/],
        ["en-US", /^[ -~]+$/],
    ]) {
        const page = await browser.page(`${master.url}/#/jobs?filter=${filter}`, { locale });
        await page.waitForSelector("#filter-says[role=alert]");
        const said = await page.textContent("#filter-says");
        assert.match(said.replace(/^.*?[:：]\s*/, ""), wanted, locale); // without the place
        assert.deepEqual(page.wrong, []);
        await page.context().close();
    }
});

test("a browser that lets no page store anything shows everything", async () => {
    const page = await browser.page("about:blank");
    await page.addInitScript(() =>
        Object.defineProperty(window, "localStorage", {
            get() {
                throw new DOMException("denied", "SecurityError");
            },
        }),
    );
    await page.goto(`${master.url}/#/overview`);
    await page.waitForSelector(".tile");
    assert.deepEqual(page.wrong, []);
});

test("the manual is found from the keys, searched and read", async () => {
    const page = await browser.page(`${master.url}/#/overview`);
    await page.waitForSelector(".tile", { timeout: 30_000 });
    await page.keyboard.press("?");
    assert.equal(await page.getAttribute("dialog a", "href"), "manual");
    await page.goto(`${master.url}/manual`);
    await page.fill("#search", "debounce");
    await page.click("#found a");
    await page.waitForURL(/\/manual\/recipes#debounce$/);
    const faults = [];
    for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        for (const name of ["", "/getting-started", "/constraints", "/recipes"]) {
            await page.goto(`${master.url}/manual${name}`);
            faults.push(...(await axe(page)).map((each) => `${colorScheme} ${name}: ${each}`));
        }
    }
    assert.deepEqual(faults, []);
    assert.deepEqual(page.wrong, []);
});

test("a worker and an operation have an address, and a list that goes on says so", async () => {
    const page = await browser.page(`${master.url}/#/workers`);
    await page.click(".list a:has-text('w-1')");
    await page.waitForSelector("tr.chosen:has-text('w-1')");
    assert.ok(page.url().endsWith("#/workers/w-1"));
    await page.goto(`${master.url}/#/workers/${encodeURIComponent("a/b#c?d%e")}`);
    await page.waitForSelector(".page [role=alert]:has-text('a/b#c?d%e')");
    const { token } = await master.call("POST", "/v1/operations", { action: "cancel", name: "nobody", dry_run: true });
    const { operation } = await master.call("POST", "/v1/operations", { token });
    await page.goto(`${master.url}/#/operations/${operation}`);
    await page.waitForSelector(`.detail code:has-text('${operation}')`);
    await page.goto(`${master.url}/#/operations/gone`);
    await page.waitForSelector(".page [role=alert]:has-text('gone')");
    const schedule = { cron: "0 3 * * *", tz: "UTC", job: { name: "report.build" } };
    await master.call("PUT", "/v1/schedules/first", schedule);
    await page.route("**/v1/schedules?*", async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, json: { ...(await answer.json()), next: "second" } });
    });
    await page.goto(`${master.url}/#/schedules`);
    await page.waitForSelector("text=The first 1 is shown; there are more.");
    await master.call("DELETE", "/v1/schedules/first");
    assert.deepEqual(page.wrong, []);
    await page.context().close();
});

// Lists ask for many at a time; here for one.
test("a list that goes on is read on by a button, and keeps what was read", async () => {
    const schedule = { cron: "0 3 * * *", tz: "UTC", job: { name: "report.build" } };
    const by = { kind: "concurrency", limit: 1, by: ["job.argument.n"] };
    const limit = (id) => ({ title: id, expression: `job.name == "${id}"`, constraints: [by] });
    for (const id of ["one", "two", "three"]) {
        await master.call("PUT", `/v1/schedules/${id}`, schedule);
        await master.call("PUT", `/v1/matchers/${id}`, limit(id), { "If-None-Match": "*" });
        const job = await master.push({ name: id, keep_result: true, max_retry: 0, argument: { n: 1 } });
        const { jobs } = await master.call("POST", "/v1/claims", { worker: id, names: [id] });
        const report = { lease: jobs[0].lease, finished_at: new Date().toISOString() };
        await master.call("POST", `/v1/jobs/${job.id}/outcome`, { ...report, type: "success", result: id });
    }
    for (const n of [1, 2, 3]) {
        const job = await master.push({ name: "one", max_retry: 0, argument: { n } });
        const { jobs } = await master.call("POST", "/v1/claims", { worker: "one", names: ["one"] });
        const report = { lease: jobs[0].lease, type: "failure", reason: "other", finished_at: new Date().toISOString(), error: null };
        await master.call("POST", `/v1/jobs/${job.id}/outcome`, { ...report, should_retry: false, message: "the same cause" });
    }
    const { groups } = await master.call("GET", "/v1/failures");
    const cause = groups.find((each) => each.name === "one").signature;
    const page = await browser.page("about:blank");
    await page.route("**/v1/**", async (route) => {
        const url = new URL(route.request().url());
        if (/\/v1\/(failures|results|schedules|constraints|workers|names)/.test(url.pathname) && !url.pathname.endsWith("buckets"))
            url.searchParams.set("limit", "1");
        await route.continue({ url: url.href });
    });
    for (const [hash, row, least] of [
        ["#/schedules", ".list tbody tr", 3],
        ["#/workers", ".list tbody tr", 4],
        ["#/constraints", ".list tbody tr", 3],
        ["#/results", ".list tbody tr", 3],
        ["#/failures", ".list tbody tr", 2],
        [`#/failures/${cause}`, ".detail .lines li", 3],
        ["#/overview", ".p-names tbody tr", 5],
    ]) {
        await page.goto(`${master.url}/${hash}`);
        await page.waitForSelector(row);
        let rows = 1;
        assert.equal(await page.locator(row).count(), rows, hash);
        while ((await page.locator(".more button").count()) > 0) {
            await page.click(".more button:enabled");
            ++rows;
            await until(async () => (await page.locator(row).count()) === rows, `${hash}: row ${rows}`);
        }
        assert.ok(rows >= least, `${hash}: ${rows}`);
        assert.equal(new Set(await page.locator(row).allInnerTexts()).size, rows, `${hash}: none twice`);
    }
    assert.deepEqual(page.wrong, []);
    await page.context().close();
    for (const id of ["one", "two", "three"]) {
        await master.call("DELETE", `/v1/schedules/${id}`);
        await master.call("DELETE", `/v1/matchers/${id}`, undefined, { "If-Match": '"1"' });
    }
});

test("lists that have no pages show all rows, a hundred at a time", async () => {
    const other = await new Master().start();
    try {
        for (let each = 0; each < 100; ++each) {
            const { token } = await other.call("POST", "/v1/operations", { action: "cancel", name: "nobody", dry_run: true });
            await other.call("POST", "/v1/operations", { token });
        }
        const { token } = await other.call("POST", "/v1/tokens", { roles: ["admin"], note: "the first" });
        const by = { Authorization: `Bearer ${token}` };
        for (let each = 1; each < 230; ++each) await other.call("POST", "/v1/tokens", { roles: ["viewer"], note: `note ${each}` }, by);
        const page = await browser.page(`${other.url}/#/tokens`);
        await page.fill("#token", token);
        await page.keyboard.press("Enter");
        for (const [screen, counts] of [
            ["tokens", [100, 200, 230]],
            ["operations", [100]], // the master keeps no more
        ]) {
            await page.goto(`${other.url}/#/${screen}`);
            const rows = page.locator(".list tbody tr");
            for (const [at, count] of counts.entries()) {
                if (at > 0) await page.click(".more button");
                await until(async () => (await rows.count()) === count, `${screen}: ${count} rows, not ${await rows.count()}`);
            }
            assert.equal(await page.locator(".more button").count(), 0, screen);
        }
        assert.deepEqual(page.wrong, []);
        await page.context().close();
    } finally {
        await other.end();
    }
});

// What lies beside a list's actions, which stay in sight, is not covered by them.
test("on a usual screen no column of a list is cut off, in either language", async () => {
    const bills = { title: "Bills of the month", cron: "0 9 1 * *", tz: "Europe/Berlin", job: { name: "report.build" } };
    await master.call("PUT", "/v1/schedules/nightly", bills);
    await master.call("POST", "/v1/schedules/nightly/run");
    const names = ["mail.send", "mail.digest", "img.resize", "report.rebuild", "crawl.page", "billing.charge"];
    await master.call("POST", "/v1/claims", { worker: "demo-4", names });
    const shares = { jp: { percent: 50 }, eu: { percent: 25 } };
    const share = { kind: "share", capacity: 4, by: ["job.argument.region"], shares, borrow: true };
    const matcher = { title: "Reports, one of each tenant", expression: 'job.name == "x"', constraints: [share] };
    await master.call("PUT", "/v1/matchers/shared", matcher, { "If-None-Match": "*" });
    const { token } = await master.call("POST", "/v1/operations", { action: "cancel", name: "nobody", dry_run: true });
    await master.call("POST", "/v1/operations", { token });
    for (const locale of ["en-US", "ja-JP"]) {
        const page = await browser.page("about:blank", { locale });
        for (const screen of ["schedules", "workers", "constraints", "failures", "operations", "retention"]) {
            await page.goto(`${master.url}/#/${screen}`);
            await page.waitForSelector(".list tbody tr");
            const over = await page.$$eval(".page > .scroll-x", (all) => all.map((each) => each.scrollWidth - each.clientWidth));
            assert.deepEqual(over.filter((each) => each > 0), [], `${screen} in ${locale}`);
            // Short words stand on one line where there is room.
            const heights = await page.$$eval(".list td.whole:not(:empty)", (all) => all.map((each) => each.parentElement.offsetHeight));
            if (screen === "failures") assert.ok(heights.length > 0 && heights.every((each) => each <= 45), `${heights}`);
        }
        assert.deepEqual(page.wrong, []);
        await page.context().close();
    }
    await master.call("DELETE", "/v1/schedules/nightly");
    await master.call("DELETE", "/v1/matchers/shared", undefined, { "If-Match": '"1"' });
});

test("on a phone every cell of a list is in sight, and nothing lies over it", async () => {
    await master.call("PUT", "/v1/schedules/nightly", { cron: "0 3 * * *", tz: "UTC", job: { name: "report.build" } });
    const kept = await master.push({ name: "kept", keep_result: true });
    const { jobs } = await master.call("POST", "/v1/claims", { worker: "w-2", names: ["kept"] });
    const report = { lease: jobs[0].lease, finished_at: new Date().toISOString(), type: "success", result: { sum: 1 } };
    await master.call("POST", `/v1/jobs/${kept.id}/outcome`, report);
    const { token } = await master.call("POST", "/v1/operations", { action: "cancel", name: "nobody", dry_run: true });
    await master.call("POST", "/v1/operations", { token });
    for (const width of [390, 360]) {
        const page = await browser.page("about:blank", { viewport: { width, height: 800 }, locale: "ja-JP" });
        for (const screen of ["results", "operations", "workers", "failures", "schedules", "retention", "audit"]) {
            await page.goto(`${master.url}/#/${screen}`);
            await page.waitForSelector(".list tbody tr");
            const hidden = await page.$$eval(".list tbody td", (cells) =>
                cells
                    .filter((cell) => cell.textContent !== "")
                    .filter((cell) => {
                        cell.scrollIntoView({ block: "center" });
                        const box = cell.getBoundingClientRect();
                        const seen = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
                        return box.left < 0 || box.right > innerWidth || !cell.contains(seen);
                    })
                    .map((cell) => `${cell.dataset.title}: ${cell.textContent}`),
            );
            assert.deepEqual(hidden, [], `${screen} at ${width}`);
            assert.deepEqual(await axe(page), [], `${screen} at ${width}`);
        }
        assert.deepEqual(page.wrong, []);
        await page.context().close();
    }
    await master.call("DELETE", "/v1/schedules/nightly");
});

test("the Enter of an input method takes what it offers, in every field, and sends nothing", async () => {
    const page = await browser.page("about:blank", { locale: "ja-JP" });
    const devtools = await page.context().newCDPSession(page);
    const sent = [];
    page.on("request", (request) => request.method() !== "GET" && sent.push(`${request.method()} ${request.url()}`));
    const button = (at) => (opened) => opened.click(`.page-head button >> nth=${at}`);
    const places = [
        ["#/jobs", "#filter"],
        ["#/jobs", ".new-job", (opened) => opened.click(".new-job")],
        ["#/jobs?filter=report.*", ".saved-open", (opened) => opened.click(".saved-open")],
        [`#/jobs?job=${job.id}`, ".inspector .actions", (opened) => opened.click(".inspector .actions button:has-text('編集')")],
        ["#/failures", "#filter"],
        ["#/results", "#filter"],
        ["#/audit", ".filters input"],
        ["#/constraints", ".page-head", button(0)],
        ["#/constraints", ".page-head", button(1)],
        ["#/schedules", ".page-head", button(0)],
        ["#/retention", ".page-head", button(0)],
        ["#/tokens", ".page-head", button(0)],
        ["#/overview", ".tile", (opened) => opened.keyboard.press("Control+k")],
    ];
    let fields = 0;
    for (const [hash, wanted, open] of places) {
        await page.goto("about:blank");
        await page.goto(`${master.url}/${hash}`);
        await page.waitForSelector(wanted);
        await open?.(page);
        if (open) await page.waitForSelector("dialog[open] input");
        const within = open ? "dialog[open]" : "main";
        const kinds = "input[type=text], input:not([type]), textarea, .cm-content";
        const all = page.locator(`${within} :is(${kinds})`);
        for (let at = 0; at < (await all.count()); ++at) {
            const field = all.nth(at);
            if (!(await field.isVisible()) || !(await field.isEditable())) continue;
            ++fields;
            const name = `${hash} ${(await field.getAttribute("aria-label")) ?? at}`; // what is typed may change the form
            await field.focus();
            const before = await page.evaluate(() => [location.hash, document.querySelectorAll("dialog[open]").length]);
            sent.length = 0;
            await devtools.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
            const enter = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 };
            await devtools.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...enter });
            await devtools.send("Input.insertText", { text: "日本" });
            await devtools.send("Input.dispatchKeyEvent", { type: "keyUp", ...enter });
            // As Safari has it: the composition has ended, and the key says so by its code alone.
            await page.evaluate(() => {
                let focused = document.activeElement;
                while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
                const key = { key: "Enter", keyCode: 229, bubbles: true, composed: true, cancelable: true };
                for (const more of [{}, { ctrlKey: true }]) focused?.dispatchEvent(new KeyboardEvent("keydown", { ...key, ...more }));
            });
            assert.deepEqual(await page.evaluate(() => [location.hash, document.querySelectorAll("dialog[open]").length]), before, name);
            const writes = sent.filter((each) => !/preview|counts|search|validate|check/.test(each));
            assert.deepEqual(writes, [], name);
        }
    }
    assert.ok(fields > 40, `${fields} fields`);
    assert.deepEqual(page.wrong, []);
    await page.context().close();
});

test("the chart shows yesterday and any range, with an address, and on a logarithmic axis", async () => {
    const page = await browser.page("about:blank", { timezoneId: "Asia/Tokyo" });
    const asked = [];
    page.on("request", (request) => request.url().includes("/v1/series") && asked.push(new URL(request.url()).searchParams));
    await page.goto(`${master.url}/#/overview`);
    await page.waitForSelector(".p-throughput .uplot");
    await page.click(".p-throughput .segments a:has-text('Yesterday')");
    const first = await until(() => asked.find((query) => query.has("until")), "a range with an end");
    const day_ms = 86_400_000;
    const today_ms = Math.floor((Date.now() + 9 * 3_600_000) / day_ms) * day_ms - 9 * 3_600_000;
    assert.deepEqual([Date.parse(first.get("until")), first.get("range")], [today_ms, "86400"]);
    await page.waitForSelector(".segments a[aria-current]:text-is('Yesterday')");
    await page.click(".p-throughput .segments button");
    await page.waitForSelector("dialog[open]");
    assert.deepEqual(await axe(page), []);
    const [from, to] = await page.locator("dialog input").all();
    await to.fill(await from.inputValue());
    await page.waitForSelector("dialog [role=alert]");
    assert.ok(await page.isDisabled("dialog button[type=submit]"));
    const local = (at_ms) => new Date(at_ms + 9 * 3_600_000).toISOString().slice(0, 16);
    const end_ms = Math.floor(Date.now() / 60_000) * 60_000;
    await from.fill(local(end_ms - 7_200_000));
    await to.fill(local(end_ms));
    await page.click("dialog button[type=submit]");
    await until(() => asked.some((query) => query.get("range") === "7200" && Date.parse(query.get("until")) === end_ms), "the range");
    await page.click(".p-throughput .segments a:has-text('Log')");
    await page.waitForSelector(".p-throughput .uplot");
    asked.length = 0;
    await page.reload();
    await page.waitForSelector(".segments button[aria-pressed=true]");
    await until(() => asked.some((query) => query.get("range") === "7200"), "the range of the address");
    await page.click(".p-throughput .segments a >> nth=0");
    await until(() => !asked.at(-1).has("until"), "now again");
    assert.deepEqual(page.wrong, []);
    await page.context().close();
});
