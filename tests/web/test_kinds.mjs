// Kinds of faults that other consoles have, and what covers each; "…" is the rest of a name.
//
// integers above 2^53                  pure: "a payload keeps its text…"; actions: "rare fields of a job have inputs…"
// an edit that rewrites the rest       actions: "an edit of one field leaves all others…", "a schedule is made and changed…"
// the height limit of long lists       pure: "a million rows are reached…"; jobs: "a long list has few rows…" (two dots a pixel)
// a connection that is only half open  kinds: "a master that no longer answers…"; states: "a request that nobody answers…"
// cookies of two masters               kinds: "two masters under two prefixes…"; signin: "two masters on one host…"
// an old tab after an upgrade          served: "a part that is gone…", "a chart and a language that are gone…"
// live changes under the hands         kinds: "live changes leave a selected text…"; pure: "rows do not move under the pointer"
// fields rewritten while one types     kinds: "fields of a time and of an hour…"
// the slower answer that wins          kinds: "what is typed into a filter stays…"; actions: "the pace that is started…"
// ranges after rows moved              jobs: "a range goes from the job that was ticked…", "keys act on the job…"
// a filter typed and not applied       jobs: "a wrong expression says…"; actions: "all that match are deleted…"
// a double click, a lost answer        actions: "a new job is made once…", "a lost answer and other fields after it…"
// the last save that wins              actions: "two edits of one JobMatcher…", "two edits of one job…", "a schedule is made and changed…";
//                                      admin: "the retention is changed…", "of several who save the retention…"; jobs: "filters are saved…"
// more is to come, not added up        screens: "a list that goes on is read on…"; jobs: "where no job matches…"
// the browser's clock                  kinds: "ages, countdowns and ranges…"
// / # ? % in addresses                 kinds: "names with signs of addresses…"; screens: "a worker and an operation have an address…"
// a deep link through sign-in          signin: "a token typed in is exchanged…", "a session that ends leads to the sign-in…"
// a link to what was purged            jobs: "a link to a job that is gone, or to none, says so"
// Enter of an input method             screens: "the Enter of an input method…"; jobs: "an Enter of an input method…"
// numbers of other scripts             pure: "numbers and spans are read…"; actions: "the pace that is started…"
// single letters while one types       jobs: "keys act on the job…"; only some fields: others have no test
// large values                         jobs: "fields of a job are only ever texts"; by hand: measure.mjs (60,000 elements)
// storms after a restart               pure: "a master that is gone is looked for…"; by hand: measure.mjs (50 tabs)
// storage blocked                      screens: "a browser that lets no page store anything…"; jobs: "columns are sized…"
// clipboard on plain HTTP              admin: "tokens are made, shown once…"; tasks
// a span parted by a line's end        kinds: "no span, no count and no rate…"; pure: "no text of a language…"
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Browser, Master, until } from "./harness.mjs";

let browser;
before(async () => {
    browser = await new Browser().start();
});
after(() => browser?.end());

function freePort() {
    return new Promise((resolve) => {
        const server = createServer().listen(0, "127.0.0.1", () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });
}

// nginx with each master under its prefix, as docs/proxies.md has it.
async function proxy(masters) {
    const directory = mkdtempSync(join(tmpdir(), "junban-nginx-"));
    const port = await freePort();
    const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${directory}/${name};`).join("\n");
    const locations = Object.entries(masters).map(
        ([prefix, master]) => `location ${prefix}/ {
            proxy_pass http://127.0.0.1:${master.port}/;
            proxy_http_version 1.1;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $junban_connection;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_read_timeout 90s;
            proxy_buffering off;
        }`,
    );
    writeFileSync(
        join(directory, "nginx.conf"),
        `${process.geteuid() === 0 ? "user root;\n" : ""}daemon off;\npid ${directory}/pid;\nerror_log stderr;\nevents { }\nhttp {
        access_log off;\n${places}
        map $http_upgrade $junban_connection { default ""; websocket upgrade; }
        server { listen 127.0.0.1:${port};\n${locations.join("\n")}\n} }\n`,
    );
    const child = spawn("nginx", ["-p", directory, "-c", join(directory, "nginx.conf")], {
        stdio: "ignore",
        env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    });
    const url = `http://127.0.0.1:${port}`;
    await until(() => fetch(url).then(() => true, () => false), "nginx listens");
    return {
        url,
        async end() {
            const gone = new Promise((resolve) => child.once("exit", resolve));
            child.kill("SIGTERM");
            await gone;
            rmSync(directory, { recursive: true, force: true });
        },
    };
}

test("two masters under two prefixes of one host have a session, live changes and the manual each", async () => {
    const start = () => new Master("--trusted-proxy", "127.0.0.1").start();
    const masters = { "/a": await start(), "/b": await start() };
    const tokens = {};
    for (const [prefix, master] of Object.entries(masters)) {
        tokens[prefix] = (await master.call("POST", "/v1/tokens", { roles: ["admin"], note: `root of ${prefix}` })).token;
        const by = { Authorization: `Bearer ${tokens[prefix]}` };
        await master.call("POST", "/v1/jobs", { name: `first${prefix.replace("/", ".")}` }, by);
    }
    const nginx = await proxy(masters);
    const page = await browser.page(`${nginx.url}/a/#/jobs`);
    const other = await page.context().newPage();
    await other.goto(`${nginx.url}/b/#/jobs`);
    for (const [prefix, shown] of [
        ["/a", page],
        ["/b", other],
    ]) {
        await shown.fill("#token", tokens[prefix]);
        await shown.keyboard.press("Enter");
        await shown.waitForSelector(`.rows .row:has-text('first.${prefix.slice(1)}')`);
    }
    const names = (await page.context().cookies()).map(({ name, path }) => [name, path]);
    assert.equal(new Set(names.map(([name]) => name)).size, 2, JSON.stringify(names));
    for (const [prefix, shown] of [
        ["/a", page],
        ["/b", other],
    ]) {
        await shown.reload(); // signing in to the other one has ended nothing
        const by = { Authorization: `Bearer ${tokens[prefix]}` };
        await shown.waitForSelector(`.rows .row:has-text('first.${prefix.slice(1)}')`);
        await masters[prefix].call("POST", "/v1/jobs", { name: `second${prefix.replace("/", ".")}` }, by);
        await shown.waitForSelector(`.rows .row:has-text('second.${prefix.slice(1)}')`); // live through the proxy
        await shown.keyboard.press("?");
        const aim = await shown.getAttribute("dialog a", "href");
        const read = await shown.context().newPage();
        const failed = [];
        read.on("response", (answer) => answer.status() >= 400 && failed.push(answer.url()));
        await read.goto(new URL(aim, shown.url()).href);
        await read.waitForSelector("main h1");
        assert.notEqual(await read.evaluate(() => getComputedStyle(document.body).maxWidth), "none"); // its style is there
        await read.fill("#search", "cookie proxy");
        await read.click("#found a");
        await read.waitForSelector("main h1");
        assert.ok(new URL(read.url()).pathname.startsWith(`${prefix}/manual/`), read.url());
        await read.click("nav a:has-text('Endpoints')");
        await read.waitForSelector("#document h2");
        assert.equal(new URL(read.url()).pathname, `${prefix}/docs`);
        await read.goto(`${nginx.url}${prefix}/manual/`);
        await read.click("nav a:has-text('Console')");
        await read.waitForSelector(".shell");
        assert.equal(new URL(read.url()).pathname, `${prefix}/`);
        assert.deepEqual(failed, []);
        await read.close();
    }
    // Signing out of one leaves the other.
    const cookies = () => page.context().cookies().then((all) => all.length);
    const headers = { "Content-Type": "application/json" };
    await page.evaluate((fields) => fetch("v1/session", { method: "DELETE", headers: fields }).then(() => undefined), headers);
    await until(async () => (await cookies()) === 1, "one cookie is gone");
    await other.reload();
    await other.waitForSelector(".rows .row");
    assert.deepEqual(page.wrong, []);
    await page.context().close();
    await nginx.end();
    for (const master of Object.values(masters)) await master.end();
});

test("ages, countdowns and ranges go by the master's clock where the browser's is hours wrong", async () => {
    const master = await new Master().start();
    await master.push({ name: "aged" });
    await master.push({ name: "later", delay: 7200 });
    for (const wrong_h of [-7, 5]) {
        const page = await browser.page("about:blank");
        await page.context().addInitScript((wrong_ms) => {
            const Real = Date;
            globalThis.Date = class extends Real {
                constructor(...given) {
                    super(...(given.length ? given : [Real.now() + wrong_ms]));
                }
                static now() {
                    return Real.now() + wrong_ms;
                }
            };
        }, wrong_h * 3_600_000);
        await page.goto(`${master.url}/#/jobs?name=aged`);
        const row = page.locator(".rows .row", { hasText: "aged" }).first();
        await row.waitFor();
        await until(async () => /\b\d+\ss\b/.test(await row.innerText()), `an age of seconds: ${await row.innerText()}`);
        assert.doesNotMatch(await row.innerText(), /\d\sh/);
        await page.goto(`${master.url}/#/jobs?state=scheduled`);
        const later = page.locator(".rows .row", { hasText: "later" }).first();
        await later.waitFor();
        await until(async () => /1\sh\s5\d\sm|2\sh\s0?0\sm/.test(await later.innerText()), `in two hours: ${await later.innerText()}`);
        const asked = [];
        page.on("request", (request) => request.url().includes("/v1/series") && asked.push(new URL(request.url()).searchParams));
        await page.goto(`${master.url}/#/overview`);
        await page.click(".p-throughput .segments a:has-text('Yesterday')");
        const query = await until(() => asked.find((each) => each.has("until")), "yesterday");
        assert.equal(Date.parse(query.get("until")), new Date().setUTCHours(0, 0, 0, 0));
        await page.goto(`${master.url}/#/constraints`);
        await page.click("button:has-text('Pause')");
        await page.fill("dialog input >> nth=0", "aged");
        await page.waitForSelector("dialog[open]");
        assert.deepEqual(page.wrong, []);
        await page.context().close();
    }
    await master.end();
});

test("live changes leave a selected text, an open tree, a scrolled argument, a menu and a list's place as they are", async () => {
    const master = await new Master().start();
    const deep = { tenant: 42, rows: Array.from({ length: 80 }, (_, at) => ({ at, words: { first: "alpha", second: `beta ${at}` } })) };
    const { id } = await master.push({ name: "read.slowly", argument: deep });
    for (let at = 0; at < 300; ++at) await master.push({ name: "crowd", argument: { at } });
    let pushing = true;
    const traffic = (async () => {
        for (let at = 0; pushing; ++at) {
            await master.push({ name: "crowd", argument: { at } });
            await new Promise((resolve) => setTimeout(resolve, 60));
        }
    })();
    const page = await browser.page(`${master.url}/#/jobs?job=${id}&tab=argument`);
    const changes = () => master.call("GET", "/v1/changes").then((found) => found.revision ?? found.rev);
    const later = async () => {
        const before = await changes();
        await until(async () => (await changes()) > before + 5, "changes came");
        await new Promise((resolve) => setTimeout(resolve, 2500));
    };
    await page.waitForSelector(".inspector summary, .inspector [aria-expanded]");
    const opened = async () => page.$$eval(".inspector details[open], .inspector [aria-expanded=true]", (all) => all.length);
    const closed = page.locator(".inspector details:not([open]) > summary, .inspector [aria-expanded=false]");
    if (await closed.count()) await closed.first().click();
    const before = await opened();
    // A text of the inspector is selected, and the tree is scrolled.
    await page.evaluate(() => {
        const walker = document.createTreeWalker(document.querySelector(".inspector"), NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            if (/tenant/.test(walker.currentNode.textContent)) {
                getSelection().selectAllChildren(walker.currentNode.parentElement);
                globalThis.held = walker.currentNode.parentElement;
                return;
            }
        }
    });
    const selected = await page.evaluate(() => String(getSelection()));
    assert.match(selected, /tenant/);
    const scroller = await page.evaluateHandle(() =>
        [...document.querySelectorAll(".inspector, .inspector *")].find(
            (each) => each.scrollHeight > each.clientHeight + 50 && /auto|scroll/.test(getComputedStyle(each).overflowY),
        ),
    );
    await scroller.evaluate((each) => (each.scrollTop = 120));
    await later();
    assert.equal(await page.evaluate(() => String(getSelection())), selected);
    assert.ok(await page.evaluate(() => globalThis.held.isConnected));
    assert.equal(await opened(), before);
    assert.equal(await scroller.evaluate((each) => each.scrollTop), 120);
    // A list that is scrolled stays where it is.
    await page.goto(`${master.url}/#/jobs?name=crowd&order=newest`);
    await page.waitForSelector(".rows .row");
    const table = page.locator(".jobtable");
    await table.evaluate((each) => (each.scrollTop = 900));
    await page.waitForTimeout(500);
    const seen = () =>
        table.evaluate((each) => {
            const at = each.getBoundingClientRect();
            const row = document.elementFromPoint(at.left + 200, at.top + at.height / 2)?.closest(".row");
            return row?.textContent.match(/"?at"?: ?\d+/)?.[0];
        });
    const place = await seen();
    await later();
    assert.equal(await table.evaluate((each) => each.scrollTop), 900);
    assert.equal(await seen(), place);
    // A menu and what is typed into a field stay.
    await page.click(".saved-open");
    await page.waitForSelector("dialog[open], [role=menu], .menu");
    const typed = page.locator("dialog[open] input[type=text]:visible, .menu input:visible").first();
    if (await typed.count()) await typed.fill("half a na");
    await later();
    await page.waitForSelector("dialog[open], [role=menu], .menu");
    if (await typed.count()) assert.equal(await typed.inputValue(), "half a na");
    pushing = false;
    await traffic;
    assert.deepEqual(page.wrong, []);
    await page.context().close();
    await master.end();
});


test("what is typed into a filter stays when an update or an answer comes late, and Back replaces it", async () => {
    const master = await new Master().start();
    await master.push({ name: "mail.send" });
    for (const [hash, selector, key] of [
        ["#/jobs", "#filter", "filter"],
        ["#/failures", "#filter", "filter"],
        ["#/audit", ".page input[type=text] >> nth=0", "actor"],
    ]) {
        const page = await browser.page(`${master.url}/#/overview`);
        await page.waitForSelector(".tile");
        await page.goto(`${master.url}/${hash}`);
        await page.waitForSelector(selector);
        // As on a slow machine: what is typed next comes before the page is painted.
        const typed = (field) =>
            new Promise((done) => {
                const type = (text) => {
                    field.value = text;
                    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
                };
                type("mail.*");
                const enter = { key: "Enter", bubbles: true, cancelable: true };
                Promise.resolve()
                    .then(() => field.dispatchEvent(new KeyboardEvent("keydown", enter)))
                    .then(() => new Promise((later) => setTimeout(later)))
                    .then(() => type("mail.* send"))
                    .then(() => setTimeout(() => done(field.value), 1000));
            });
        assert.equal(await page.$eval(selector, typed), "mail.* send", hash);
        const applied = () => page.evaluate((of) => new URLSearchParams(location.hash.split("?")[1]).get(of), key);
        assert.equal(await applied(), "mail.*");
        // In the editor, while the answer is on its way.
        await page.focus(selector);
        const text = () => page.$eval(selector, (field) => field.value ?? field.textContent);
        if (key === "filter") await page.waitForSelector(".expression .cm-content");
        let release = () => undefined;
        const held = new Promise((go) => (release = go));
        await page.route("**/v1/{jobs,failures,audit}?*", async (route) => {
            await held;
            await route.continue();
        });
        await page.keyboard.press("Control+a");
        await page.keyboard.type("job.name ==");
        await page.keyboard.press("Enter"); // the master refuses it
        await page.keyboard.type(' "mail.send"');
        release();
        await page.waitForTimeout(1500);
        assert.equal(await text(), 'job.name == "mail.send"', hash);
        await page.keyboard.press("Enter");
        await until(async () => (await applied()) === 'job.name == "mail.send"', "it is applied");
        await page.goBack();
        await until(async () => (await text()) === "job.name ==", `Back: ${await text()}`);
        await page.goBack();
        await until(async () => (await text()) === "mail.*", `Back: ${await text()}`);
        await page.goForward();
        await until(async () => (await text()) === "job.name ==", `Forward: ${await text()}`);
        assert.deepEqual(page.wrong, []);
        await page.context().close();
    }
    await master.end();
});

test("fields of a time and of an hour are not rewritten while one types in them", async () => {
    const master = await new Master().start();
    await master.push({ name: "first" });
    const page = await browser.page(`${master.url}/#/overview`, { locale: "en-US" });
    const time = page.locator("dialog input[type=datetime-local]").first();
    const keys = [..."05122024", "ArrowRight", ..."103000a"];
    const fill = async (where) => {
        await page.waitForSelector("dialog :focus"); // it has given the focus to its first field
        await time.focus();
        for (const key of keys) {
            await page.keyboard.press(key);
            await page.waitForTimeout(40);
        }
        await until(async () => /^2024-05-12T10:30(:00)?$/.test(await time.inputValue()), `${where}: ${await time.inputValue()}`, 3);
    };
    await page.click(".p-throughput .segments button");
    await fill("range");
    await page.keyboard.press("Escape");
    await page.goto(`${master.url}/#/jobs`);
    await page.click(".new-job");
    await page.selectOption("dialog .start select", "at");
    await fill("new job");
    await page.fill("dialog [data-part=name]", "timed");
    // An input method composes digits of full width: they stay until it is done.
    await page.click("dialog details summary");
    await page.click("dialog fieldset.windows > button");
    const hour = page.locator("dialog .window input.clock").first();
    await hour.focus();
    await page.keyboard.press("Control+a");
    const method = await page.context().newCDPSession(page);
    for (const text of ["０", "０８", "０８：３"]) {
        await method.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
        await page.waitForTimeout(50);
        assert.equal(await hour.inputValue(), text);
    }
    await method.send("Input.insertText", { text: "０８：３０ " });
    assert.equal(await hour.inputValue(), "０８：３０ ");
    assert.ok(await hour.evaluate((field) => field.checkValidity()));
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("dialog", { state: "detached" });
    const { jobs } = await master.call("GET", "/v1/jobs?name=timed&limit=1");
    const { windows } = await master.call("GET", `/v1/jobs/${jobs[0].id}`);
    assert.equal(windows[0].from, "08:30", JSON.stringify(windows));
    assert.deepEqual(page.wrong, []);
    await page.context().close();
    await master.end();
});

// The spans, counts with a unit and rates of a page which a line's end could part: each is put where there is no room at all.
function breakable() {
    const units = "[KMGT]?i?B|ms|s|min|m|h|d|ミ\u2060?リ\u2060?秒|秒|分|時\u2060?間|日|件|回";
    const measure = new RegExp(
        `\\d[\\d.,]*\\u2060?[万億]?[ \\u00a0\\u2060]?(${units})(?![a-z])([ \\u00a0]\\d+[ \\u00a0\\u2060]?(${units})(?![a-z]))?` +
            `|\\d[\\d.,]*/\\u2060?(s|min|秒|分)(?![a-z])|\\d[\\d.,]*[ \\u00a0]per[ \\u00a0](second|minute|hour|day)|[\\d.,]*\\d\\u2060?[万億]`,
        "g",
    );
    const probe = document.body.appendChild(document.createElement("p"));
    Object.assign(probe.style, { width: "0", position: "absolute", overflowWrap: "normal" });
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    const seen = [];
    const nodes = [];
    while (texts.nextNode()) nodes.push(texts.currentNode);
    for (const node of nodes) {
        if (node.parentElement.closest("code, pre, .mono, textarea")) continue; // what others wrote
        for (const [text] of node.data.matchAll(measure)) {
            seen.push(text);
            probe.textContent = text;
            const range = document.createRange();
            range.selectNodeContents(probe);
            if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(`${text} in "${node.data}"`);
        }
    }
    probe.remove();
    return { found, seen };
}

test("no span, no count and no rate is parted by the end of a line, in both languages", async () => {
    const master = await new Master().start();
    const limits = [
        { kind: "rate", limit: 20, period: 1 },
        { kind: "rate", limit: 5, period: 10 },
        { kind: "concurrency", limit: 3 },
    ];
    for (const [at, constraint] of limits.entries()) {
        const body = { title: `Limit ${at}`, expression: 'job.name == "crowd"', constraints: [{ id: `limit-${at}`, ...constraint }] };
        await master.call("PUT", `/v1/matchers/m${at}`, body, { "If-None-Match": "*" });
    }
    for (const every of [90, 4800]) {
        const body = { every, job: { name: "often", argument: null } };
        await master.call("PUT", `/v1/schedules/s${every}`, body, { "If-None-Match": "*" });
    }
    for (let at = 0; at < 30; ++at) await master.push({ name: "crowd", argument: { at } });
    const { id } = await master.push({ name: "later", delay: 4800, timeout: 90 });
    const { jobs } = await master.call("POST", "/v1/claims", { worker: "w-1", names: ["crowd"] });
    const ended = { lease: jobs[0].lease, type: "failure", reason: "other", should_retry: false, error: null, message: "it broke" };
    await master.call("POST", `/v1/jobs/${jobs[0].id}/outcome`, { ...ended, finished_at: new Date().toISOString() });
    const hashes = [
        ...["overview", "jobs", "jobs?state=scheduled", "jobs?state=failed", `jobs?job=${id}`, `jobs?job=${id}&tab=fields`],
        ...[`jobs?job=${id}&tab=argument`, `jobs?job=${id}&tab=history`, "failures", "results", "schedules", "schedules/s90"],
        ...["schedules/s4800", "constraints", "constraints/m0", "constraints/m1", "workers", "workers/w-1", "operations", "retention"],
        ...["tokens", "audit"],
    ];
    for (const locale of ["en-US", "ja-JP"]) {
        const page = await browser.page(`${master.url}/`, { locale, viewport: { width: 390, height: 844 } });
        const parted = [];
        const all = [];
        for (const hash of hashes) {
            await page.goto(`${master.url}/#/${hash}`);
            await page.waitForSelector(".page h1, .tile, .tabs, .inspector-head");
            await page.waitForSelector(".skeleton", { state: "detached" });
            await page.waitForTimeout(400);
            const { found, seen } = await page.evaluate(breakable);
            parted.push(...found.map((each) => `${hash}: ${each}`));
            all.push(...seen);
        }
        assert.deepEqual(parted, [], locale);
        const wanted =
            locale === "en-US"
                ? [/\d\ss$/, /\d\sh\s\d+\sm/, /\/\u2060s/, /per/, /B$/]
                : [/秒/, /時\u2060間\s\d+\s分/, /\/\u2060秒/, /件/, /B$/];
        for (const each of wanted) assert.ok(all.some((text) => each.test(text)), `${each} is in none of ${JSON.stringify(all)}`);
        assert.deepEqual(page.wrong, []);
        await page.context().close();
    }
    await master.end();
});

test("a master that no longer answers, while its connections stay, is not called live", async () => {
    const master = await new Master().start();
    await master.push({ name: "seen" });
    const page = await browser.page(`${master.url}/#/jobs`);
    await page.waitForSelector(".fresh.good", { timeout: 60_000 });
    master.process.kill("SIGSTOP");
    try {
        await page.waitForSelector(".fresh.good", { state: "detached", timeout: 60_000 });
        await page.waitForSelector(".rows .row:has-text('seen')"); // what was known last stays
    } finally {
        master.process.kill("SIGCONT");
    }
    await page.waitForSelector(".fresh.good", { timeout: 60_000 });
    assert.deepEqual(page.wrong, []);
    await page.context().close();
    await master.end();
});

test("names with signs of addresses lead to what they name, also by Back and in a new tab", async () => {
    const master = await new Master().start();
    const name = "a/b#c?d%e&f=g+h";
    const { id } = await master.push({ name, max_retry: 0 });
    await master.push({ name: "other" });
    const page = await browser.page(`${master.url}/#/overview`);
    await page.click(`.p-names a:has-text("${name}") >> nth=0`);
    const rows = () => page.locator(".rows .row .cell-name").allInnerTexts();
    await until(async () => String(await rows()) === name, "the jobs of this name");
    const { href } = await page.evaluate(() => location);
    await page.goBack();
    await page.waitForSelector(".p-names");
    await page.goForward();
    await until(async () => String(await rows()) === name, "Forward");
    const tab = await page.context().newPage();
    await tab.goto(href);
    await tab.waitForSelector(`.rows .row:has-text("${name}")`);
    await tab.goto(`${master.url}/#/jobs?job=${id}`);
    await tab.waitForSelector(`.inspector-head h2:has-text("${name}")`);
    await master.call("POST", "/v1/claims", { worker: name, names: [name] });
    await page.goto(`${master.url}/#/workers`);
    await page.click(`.list a:has-text("${name}")`);
    await until(() => page.evaluate((of) => location.hash === `#/workers/${encodeURIComponent(of)}`, name), "the worker's address");
    await page.waitForSelector(`tr.chosen:has-text("${name}")`);
    assert.deepEqual(page.wrong, []);
    await page.context().close();
    await master.end();
});
