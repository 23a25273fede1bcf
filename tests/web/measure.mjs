// The figures of the web console, to be read and compared, not judged: measure.mjs [JOBS [MINUTES [PART…]]], of all parts or of some:
// paint, tabs, restart, heap, values, list. What does not depend on the machine is judged by tests: the bytes of the first screen
// (test_served), the rows in the document (test_jobs).
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Browser, Master, until } from "./harness.mjs";

const jobs = Number(process.argv[2] ?? 1_000_000);
const minutes = Number(process.argv[3] ?? 10);
const parts = process.argv.slice(4);
const isAsked = (part) => parts.length === 0 || parts.includes(part);
const say = (what, value) => console.log(`${what}: ${value}`);
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

const master = await new Master().start();
const browser = await new Browser().start();

async function fresh(hash, network) {
    const page = await browser.page("about:blank");
    await page.context().addInitScript(() => {
        globalThis.long = [];
        new PerformanceObserver((list) => globalThis.long.push(...list.getEntries().map((each) => each.duration))).observe({
            type: "longtask",
            buffered: true,
        });
    });
    const devtools = await page.context().newCDPSession(page);
    if (network) {
        await devtools.send("Network.enable");
        await devtools.send("Network.emulateNetworkConditions", { offline: false, ...network });
    }
    await page.goto(`${master.url}/${hash}`);
    return { page, devtools };
}

async function paint(name, runs, network) {
    const [painted, shown] = [[], []];
    let bytes = 0;
    for (let run = 0; run < runs; ++run) {
        const { page } = await fresh("#/overview", network);
        await page.waitForSelector(".tile", { timeout: 120_000 });
        const found = await page.evaluate(() => ({
            painted: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
            shown: performance.now(),
            bytes: [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
                .filter((each) => each.initiatorType !== "fetch")
                .reduce((sum, each) => sum + each.encodedBodySize, 0),
        }));
        painted.push(found.painted);
        shown.push(found.shown);
        bytes = found.bytes;
        await page.context().close();
    }
    say(`first paint of Overview, ${name}`, `${Math.round(median(painted))} ms; tiles after at most ${Math.round(median(shown))} ms`);
    if (!network) say("first screen, compressed", `${(bytes / 1000).toFixed(1)} kB`);
}

// Seconds that a process has had of a core.
function cpu(pid) {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function share(seconds) {
    const before = cpu(master.process.pid);
    await sleep(seconds * 1000);
    return (100 * (cpu(master.process.pid) - before)) / seconds;
}

const pushing = { on: true };
const traffic = async () => {
    while (pushing.on) {
        await master.push({ name: "measured", argument: { n: 1 } });
        await sleep(50);
    }
};
let running;

if (isAsked("paint")) {
    await paint("loopback", 5);
    // As the browsers' own tools have it.
    await paint('"fast 3G"', 3, { latency: 562, downloadThroughput: (1.6e6 * 0.9) / 8, uploadThroughput: (750e3 * 0.9) / 8 });
}

if (isAsked("tabs")) {
    const alone = await share(20);
    const tabs = [];
    for (let tab = 0; tab < 16; ++tab) tabs.push((await fresh(["#/overview", "#/jobs"][tab % 2])).page);
    await sleep(5000);
    say("16 tabs, no traffic", `${(await share(20)).toFixed(1)} % of a core (without tabs ${alone.toFixed(1)} %)`);
    running = traffic();
    say("16 tabs, 20 jobs a second", `${(await share(20)).toFixed(1)} % of a core`);
    for (const tab of tabs) await tab.context().close();
    say("no tabs, 20 jobs a second", `${(await share(20)).toFixed(1)} % of a core`);
}

// Fifty tabs whose master is started again: when they are live again, and how they come.
if (isAsked("restart")) {
    const tabs = [];
    for (let tab = 0; tab < 50; ++tab) tabs.push((await fresh(["#/overview", "#/jobs", "#/workers"][tab % 3])).page);
    const live = (tab, limit) => tab.waitForSelector(".status .fresh.good", { timeout: limit });
    for (const tab of tabs) await live(tab, 120_000);
    await sleep(5000);
    await master.stop();
    for (const tab of tabs) await tab.waitForSelector(".status .fresh.bad", { timeout: 120_000 });
    await sleep(20_000); // the waits between tries have become long
    const asked = [];
    for (const tab of tabs) tab.on("request", (request) => request.url().includes("/v1/") && asked.push(Date.now()));
    await master.start();
    const began = Date.now();
    const before = cpu(master.process.pid);
    const after_ms = await Promise.all(tabs.map((tab) => live(tab, 120_000).then(() => Date.now() - began)));
    after_ms.sort((a, b) => a - b);
    const perSecond = new Map();
    for (const at of asked) perSecond.set(Math.floor((at - began) / 1000), (perSecond.get(Math.floor((at - began) / 1000)) ?? 0) + 1);
    const spent = cpu(master.process.pid) - before;
    say("50 tabs after a restart are live", `first ${after_ms[0]} ms, half ${after_ms[25]} ms, all ${after_ms[49]} ms after it`);
    const most = Math.max(0, ...perSecond.values());
    say("requests meanwhile", `${asked.length}, at most ${most} in a second; the master used ${spent.toFixed(2)} s of a core`);
    for (const tab of tabs) await tab.context().close();
}

if (isAsked("heap")) {
    running ??= traffic();
    const { page, devtools } = await fresh("#/overview");
    const heap = async () => {
        await devtools.send("HeapProfiler.collectGarbage");
        return (await devtools.send("Runtime.getHeapUsage")).usedSize / 1e6;
    };
    for (const screen of ["#/jobs", "#/overview"]) {
        await page.goto(`${master.url}/${screen}`);
        await sleep(20_000); // what grows once has grown
        const start = await heap();
        await sleep((minutes * 60_000) / 2);
        const grown = (await heap()) - start;
        say(`heap of ${screen}, ${minutes / 2} minutes of 20 jobs a second`, `${start.toFixed(1)} MB, then ${grown.toFixed(2)} MB more`);
    }
    await page.context().close();
}
pushing.on = false;
await running;

// Values that are large: by their elements, and by one text.
if (isAsked("values")) {
    const values = { "60,000 elements": Array.from({ length: 60_000 }, (_, at) => ({ at }).at), "a text of 1 MB": "x".repeat(1_000_000) };
    for (const [name, argument] of Object.entries(values)) {
        const { id } = await master.push({ name: "large", argument });
        const { page } = await fresh("#/jobs");
        await page.waitForSelector(".tabs");
        await page.evaluate(() => (globalThis.long = []));
        const began = Date.now();
        await page.evaluate((hash) => (location.hash = hash), `#/jobs?job=${id}&tab=argument`);
        await page.waitForSelector(".inspector .segments, .inspector .tree");
        await page.waitForSelector(".inspector .skeleton", { state: "detached" });
        const shown = Date.now() - began;
        await sleep(1000);
        const { long, elements } = await page.evaluate(() => ({ long: globalThis.long, elements: document.querySelectorAll("*").length }));
        const longest = Math.round(Math.max(0, ...long));
        say(`argument of ${name}`, `shown after ${shown} ms, ${elements} elements in the document, the longest task ${longest} ms`);
        await page.context().close();
    }
}

if (isAsked("list")) {
    for (let sent = 0; sent < jobs; sent += 1000)
        await master.call("POST", "/v1/jobs/batch", {
            jobs: Array.from({ length: Math.min(1000, jobs - sent) }, (_, at) => ({ name: "many", argument: { at } })),
        });
    const list = (await fresh("#/jobs?name=many")).page;
    await list.waitForSelector(".rows .row");
    await list.click(".list-foot button:has-text('Freeze')");
    await until(() => list.$eval(".list-foot", (foot) => !/…/.test(foot.textContent ?? "")), "frozen", 600);
    await list.evaluate(() => (globalThis.long = []));
    const most = await list.evaluate(async () => {
        const table = document.querySelector(".jobtable");
        let rows = 0;
        for (let step = 0; step <= 200; ++step) {
            table.scrollTop = ((table.scrollHeight - table.clientHeight) * step) / 200;
            await new Promise((resolve) => setTimeout(resolve, 50));
            rows = Math.max(rows, document.querySelectorAll(".rows .row").length);
        }
        return { rows, long: globalThis.long };
    });
    const longest = Math.round(Math.max(0, ...most.long));
    say(`${jobs} jobs from end to end`, `${most.rows} rows at most; ${most.long.length} tasks over 50 ms, the longest ${longest} ms`);
    await list.focus(".jobtable");
    await list.keyboard.press("End");
    await list.waitForSelector(`.rows .row[aria-rowindex="${jobs + 1}"] .cell-name`, { timeout: 60_000 });
    say("the last row", await list.$$eval(".rows .row", (rows) => rows.at(-1)?.getAttribute("aria-rowindex")));
}
await browser.end();
await master.end();
