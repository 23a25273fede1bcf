// The figures of the web console, to be read and compared, not judged: measure.mjs [JOBS [MINUTES [PART…]]] of a release build, of all
// parts or of some: paint, tabs, restart, heap, values, list. The queue has JOBS jobs (1,000,000) in all parts; MINUTES (10) are those of
// `heap`. What does not depend on the machine is judged by tests: the bytes of the first screen (test_served), the rows in the document
// (test_jobs). JUNBAN_BIN is another folder with junband than build/release/bin; the npm packages are installed where they are missing.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const built = join(here, "../../build/release");
process.env.JUNBAN_BIN ??= join(built, "bin");
if (!process.env.JUNBAN_WEB_NPM) {
    process.env.JUNBAN_WEB_NPM = join(built, "tests/web/npm");
    const install = spawnSync("python3", ["-B", join(here, "../contract/npm.py"), join(here, "npm"), process.env.JUNBAN_WEB_NPM]);
    if (install.status !== 0) throw new Error(`the npm packages: ${install.stderr}`);
}
const { Browser, Master, until } = await import("./harness.mjs");

const jobs = Number(process.argv[2] ?? 1_000_000);
const minutes = Number(process.argv[3] ?? 10);
const parts = process.argv.slice(4);
const isAsked = (part) => parts.length === 0 || parts.includes(part);
const say = (what, value, bound) => console.log(`${what}: ${value}${bound ? ` (bound: ${bound})` : ""}`);
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

say("machine", `${cpus().length} cores, ${cpus()[0].model}, load ${loadavg()[0].toFixed(1)} at the start`);
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

const longest = (long) => `${long.length} tasks over 50 ms, the longest ${Math.round(Math.max(0, ...long))} ms`;

async function paint(name, runs, bound_ms, network) {
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
    const tiles = `tiles after at most ${Math.round(median(shown))} ms`;
    say(`first paint of Overview, ${name}, median of ${runs}`, `${Math.round(median(painted))} ms; ${tiles}`, `${bound_ms} ms`);
    if (!network) say("first screen, compressed", `${(bytes / 1000).toFixed(1)} kB`, "100 kB");
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

if (["paint", "tabs", "restart", "heap", "list"].some(isAsked)) {
    const began = Date.now();
    for (let sent = 0; sent < jobs; sent += 1000)
        await master.call("POST", "/v1/jobs/batch", {
            jobs: Array.from({ length: Math.min(1000, jobs - sent) }, (_, at) => ({ name: "many", argument: { at } })),
        });
    say("jobs in the queue", `${jobs}, pushed in ${Math.round((Date.now() - began) / 1000)} s`);
}

if (isAsked("paint")) {
    await paint("loopback", 5, 300);
    // As the browsers' own tools have it.
    const fast3g = { latency: 562, downloadThroughput: (1.6e6 * 0.9) / 8, uploadThroughput: (750e3 * 0.9) / 8 };
    await paint('"fast 3G"', 3, 1500, fast3g);
}

if (isAsked("tabs")) {
    const alone = await share(20);
    const tabs = [];
    for (let tab = 0; tab < 16; ++tab) tabs.push((await fresh(["#/overview", "#/jobs"][tab % 2])).page);
    await sleep(5000);
    say("16 tabs, no traffic", `${(await share(20)).toFixed(1)} % of a core (without tabs ${alone.toFixed(1)} %)`, "5 % more");
    running = traffic();
    const busy = await share(20);
    for (const tab of tabs) await tab.context().close();
    await sleep(2000);
    say("16 tabs, 20 jobs a second", `${busy.toFixed(1)} % of a core (without tabs ${(await share(20)).toFixed(1)} %)`, "5 % more");
}

// Fifty tabs whose master is started again: when they are live again, and how they come.
if (isAsked("restart")) {
    pushing.on = false;
    await running;
    running = undefined;
    const tabs = [];
    for (let tab = 0; tab < 50; ++tab) tabs.push((await fresh(["#/overview", "#/jobs", "#/workers"][tab % 3])).page);
    const live = (tab) => tab.waitForSelector(".status .fresh.good", { timeout: 300_000 });
    for (const tab of tabs) await live(tab);
    await sleep(5000);
    await master.stop();
    for (const tab of tabs) await tab.waitForSelector(".status .fresh.bad", { timeout: 300_000 });
    await sleep(20_000); // the waits between tries have become long
    const asked = [];
    for (const tab of tabs) tab.on("request", (request) => request.url().includes("/v1/") && asked.push(Date.now()));
    const began = Date.now();
    await master.start();
    const listens = Date.now();
    const after_ms = await Promise.all(tabs.map((tab) => live(tab).then(() => Date.now() - listens)));
    after_ms.sort((a, b) => a - b);
    await sleep(5000); // what they ask for once they are live
    const perSecond = new Map();
    for (const second of asked.map((at) => Math.floor((at - listens) / 1000))) perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
    say("the master listens", `${listens - began} ms after its start`);
    say("50 tabs are live", `first ${after_ms[0]} ms, half ${after_ms[25]} ms, all ${after_ms[49]} ms after that`);
    const most = Math.max(0, ...perSecond.values());
    const spent = `the master used ${cpu(master.process.pid).toFixed(2)} s of a core`;
    say("requests since the start", `${asked.length}, at most ${most} in a second; ${spent}`);
    for (const tab of tabs) await tab.context().close();
}

// Megabytes an hour by least squares, of [ms, MB].
function slope(points) {
    const mean = (values) => values.reduce((sum, each) => sum + each, 0) / values.length;
    const [at, size] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
    const over = points.reduce((sum, [x, y]) => sum + (x - at) * (y - size), 0);
    return (3_600_000 * over) / points.reduce((sum, [x]) => sum + (x - at) ** 2, 0);
}

if (isAsked("heap")) {
    pushing.on = true;
    running ??= traffic();
    const { page, devtools } = await fresh("#/overview");
    const heap = async () => {
        await devtools.send("HeapProfiler.collectGarbage");
        return (await devtools.send("Runtime.getHeapUsage")).usedSize / 1e6;
    };
    for (const screen of ["#/jobs", "#/overview"]) {
        await page.goto(`${master.url}/${screen}`);
        await sleep(20_000); // what grows once has grown
        const [points, end] = [[], Date.now() + minutes * 30_000];
        do {
            points.push([Date.now(), await heap()]);
            await sleep(Math.min(10_000, minutes * 5000));
        } while (Date.now() < end);
        points.push([Date.now(), await heap()]);
        const [first, last] = [points[0][1], points.at(-1)[1]];
        const grown = `${first.toFixed(1)} MB, then ${(last - first).toFixed(2)} MB more, ${slope(points).toFixed(1)} MB an hour`;
        say(`heap of ${screen}, ${minutes / 2} minutes of 20 jobs a second`, grown, "10 MB an hour");
    }
    await page.context().close();
}
pushing.on = false;
await running;

// Values that are large: by their elements, and by one text.
if (isAsked("values")) {
    // As large as the master takes them (256 KiB).
    const values = { "60,000 elements": Array.from({ length: 60_000 }, (_, at) => at % 100), "a text of 260 kB": "x".repeat(260_000) };
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
        say(`argument of ${name}`, `shown after ${shown} ms, ${elements} elements in the document; ${longest(long)}`);
        await page.context().close();
    }
}

if (isAsked("list")) {
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
    say(`${jobs} jobs from end to end`, `${most.rows} rows at most; ${longest(most.long)}`, "150 rows, no task over 50 ms");
    await list.focus(".jobtable");
    await list.keyboard.press("End");
    await list.waitForSelector(`.rows .row[aria-rowindex="${jobs + 1}"] .cell-name`, { timeout: 60_000 });
    say("the last row", await list.$$eval(".rows .row", (rows) => rows.at(-1)?.getAttribute("aria-rowindex")));
}
await browser.end();
await master.end();
