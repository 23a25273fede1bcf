// Pictures of every screen and dialog of the web console, to be looked at after a change: shots.mjs URL FOLDER [WORD…]. In both languages
// and themes at three widths, or only those whose name has each word: `shots.mjs http://127.0.0.1:7717 /tmp/shots ja-dark 390 retention`.
// It also names what scrolls sideways.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Browser } from "./harness.mjs";

const [url, folder, ...words] = process.argv.slice(2);
const call = (path) => fetch(url + path, { headers: { Accept: "application/json" } }).then((answer) => answer.json());
mkdirSync(folder, { recursive: true });

const first = async (path, key, id) => (await call(path))[key]?.[0]?.[id];
const failed = await first("/v1/jobs?state=failed&limit=1", "jobs", "id");
const cause = await first("/v1/failures?limit=1", "groups", "signature");
const schedule = await first("/v1/schedules?limit=1", "schedules", "id");
const matcher = await first("/v1/matchers?limit=1", "matchers", "id");

const press = (selector) => (page) => page.click(selector);
const places = [
    ["overview", "#/overview", ".tile"],
    ["jobs", "#/jobs", ".rows .row"],
    ["jobs-failed", "#/jobs?state=failed", ".tabs"],
    ["jobs-none", "#/jobs?filter=nothing.*", ".empty"],
    // Of now: it does not wait for long. The last one to come waits longest.
    ["job-ready", async () => `#/jobs?job=${await first("/v1/jobs?state=ready&limit=1&order=reversed", "jobs", "id")}`, ".gates .gate"],
    ["job-failed", `#/jobs?state=failed&job=${failed}`, ".inspector-head"],
    ["job-argument", `#/jobs?job=${failed}&tab=argument`, ".inspector-head"],
    ["jobs-selected", "#/jobs?state=failed", ".rows .row", press(".rows .row >> nth=0 >> input")],
    ["jobs-saved", "#/jobs?filter=mail.*", ".tabs", press(".saved-open")],
    ["failures", "#/failures", ".list"],
    ["failure", `#/failures/${cause}`, ".detail"],
    ["results", "#/results", ".page h1"],
    ["schedules", "#/schedules", ".list"],
    ["schedule", `#/schedules/${schedule}`, ".detail"],
    ["schedule-edit", `#/schedules/${schedule}`, ".detail", press(".detail .actions button >> nth=0")],
    ["schedule-delete", `#/schedules/${schedule}`, ".detail", press(".detail .actions button >> nth=1")],
    ["constraints", "#/constraints", ".list"],
    ["constraint", `#/constraints/${matcher}`, ".detail"],
    ["constraint-edit", `#/constraints/${matcher}`, ".detail", press(".detail .actions button >> nth=0")],
    ["pause", "#/constraints", ".list", press(".page-head button >> nth=0")],
    ["workers", "#/workers", ".list"],
    ["operations", "#/operations", ".page h1"],
    ["retention", "#/retention", ".list"],
    ["retention-edit", "#/retention", ".list", press(".list button >> nth=0")],
    ["tokens", "#/tokens", ".page h1"],
    ["token-new", "#/tokens", ".page h1", press(".page-head button")],
    ["audit", "#/audit", ".page h1"],
    ["palette", "#/overview", ".tile", (page) => page.keyboard.press("Control+k")],
    ["keys", "#/overview", ".tile", (page) => page.keyboard.press("?")],
    ["settings", "#/overview", ".tile", press(".side-end button:last-of-type")],
].filter(([, hash]) => typeof hash === "function" || !hash.includes("undefined"));

const browser = await new Browser().start();
for (const locale of ["en-US", "ja-JP"]) {
    for (const colorScheme of ["light", "dark"]) {
        for (const [width, height] of [
            [390, 844],
            [1440, 900],
            [2560, 1440],
        ]) {
            const named = (name) => `${locale.slice(0, 2)}-${colorScheme}-${width}-${name}`;
            const wanted = places.filter(([name]) => words.every((word) => named(name).includes(word)));
            if (wanted.length === 0) continue;
            const page = await browser.page(`${url}/`, { locale, colorScheme, viewport: { width, height }, timezoneId: "Asia/Tokyo" });
            for (const [name, hash, selector, act] of wanted) {
                try {
                    await page.goto("about:blank");
                    await page.goto(`${url}/${typeof hash === "function" ? await hash() : hash}`);
                    await page.waitForSelector(selector);
                    await act?.(page);
                    if (act) await page.waitForSelector("dialog[open], .bulk");
                    await page.waitForSelector(".skeleton", { state: "detached" });
                    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
                    if (over > 0) console.log(`${named(name)} is ${over} px too wide`);
                } catch (error) {
                    console.log(`${named(name)}: ${String(error).split("\n")[0]}`);
                }
                await page.screenshot({ path: join(folder, `${named(name)}.png`) });
            }
            for (const each of page.wrong) console.log(`${locale} ${colorScheme} ${width}: ${each}`);
            await page.context().close();
        }
    }
}
await browser.end();
