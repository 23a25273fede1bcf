// axe over every tab, editor and dialog, in both themes and both languages. What a screen shows at first, test_screens.mjs looks at.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axe, Browser, Master } from "./harness.mjs";

const fresh = { "If-None-Match": "*" };
const kinds = [
    { kind: "rate", limit: 20, period: 60, by: ["job.argument.tenant"] },
    { kind: "concurrency", limit: 3 },
    { kind: "window", allow: [{ from: "00:00", to: "24:00" }] },
    { kind: "breaker", by: ["job.argument.tenant"] },
];

let master, browser, ready, failed, cause;
before(async () => {
    master = await new Master().start();
    browser = await new Browser().start();
    const constraints = kinds.map((each, at) => ({ id: `limit-${at}`, ...each }));
    const matcher = { title: "All kinds", expression: 'job.name.startsWith("mail.")', constraints };
    await master.call("PUT", "/v1/matchers/kinds", matcher, fresh);
    for (const [id, rule] of [
        ["nightly", { cron: "30 2 * * *", tz: "Asia/Tokyo" }],
        ["often", { every: 5400 }],
    ])
        await master.call("PUT", `/v1/schedules/${id}`, { ...rule, job: { name: "report", argument: null } }, fresh);
    failed = (await master.push({ name: "mail.send", argument: { tenant: "a" }, max_retry: 0 })).id;
    const { jobs } = await master.call("POST", "/v1/claims", { worker: "w-1", names: ["mail.send"] });
    await master.call("POST", `/v1/jobs/${failed}/outcome`, {
        ...{ lease: jobs[0].lease, type: "failure", reason: "other", should_retry: false, error: { code: 7 }, message: "no route" },
        finished_at: new Date().toISOString(),
    });
    for (let at = 0; at < 5; ++at) ready = (await master.push({ name: "mail.send", argument: { tenant: "b", at }, delay: 3600 })).id;
    cause = (await master.call("GET", "/v1/failures?limit=1")).groups[0].signature;
});
after(async () => {
    await browser?.end();
    await master?.end();
});

const press = (selector) => (page) => page.click(selector);
const several = (...steps) => async (page) => {
    for (const each of steps) await page.click(each);
};
const open = "dialog[open]";
const unfold = (page) => page.$$eval("dialog[open] details", (all) => all.forEach((each) => (each.open = true)));

// Name, address, what is waited for, what is done.
const places = () => [
    ...["why", "attempts", "argument", "outcome", "history", "fields"].map((tab) => [
        `tab ${tab}`,
        `jobs?job=${failed}&tab=${tab}`,
        ".inspector-body",
    ]),
    ["tab why of one that waits", `jobs?job=${ready}&tab=why`, ".inspector-body"],
    ["new job", "jobs", ".new-job", press(".new-job"), open, unfold],
    ["columns", "jobs", ".choose-columns", press(".choose-columns"), open],
    ["saved filters", "jobs?filter=mail.*", ".saved-open", press(".saved-open"), open],
    ["a job from its row", "jobs?state=scheduled", ".rows .row", press(".rows .row >> nth=0 >> .cell-name"), ".inspector-head"],
    ...["retry", "cancel", "delete"].map((each) => [
        `bulk ${each}`,
        `jobs?state=${each === "cancel" ? "scheduled" : "failed"}`,
        ".rows .row",
        several(".rows .row >> nth=0 >> input", `.bulk [data-do=${each}]`),
        open,
    ]),
    ["cause", `failures/${cause}`, ".detail"],
    ["new schedule", "schedules", ".page-head button", press(".page-head button.primary"), open],
    ["schedule", "schedules/nightly", ".detail"],
    ["schedule editor, cron", "schedules/nightly", ".detail", press(".detail .actions button >> nth=0"), open],
    ["schedule editor, interval", "schedules/often", ".detail", press(".detail .actions button >> nth=0"), open],
    ["schedule, delete", "schedules/often", ".detail", press(".detail .actions button >> nth=1"), open],
    ["constraint", "constraints/kinds", ".detail"],
    ["matcher editor", "constraints/kinds", ".detail", press(".detail .actions button >> nth=0"), open, unfold],
    ["new matcher", "constraints", ".page-head button", press(".page-head button.primary"), open, unfold],
    ["pause", "constraints", ".page-head button", press(".page-head button >> nth=0"), open],
    ["limit for one key", "constraints/kinds", ".detail button.link", press(".detail button.link >> nth=0"), open],
    ["worker", "workers/w-1", ".page, .detail"],
    ["retention of a name", "retention", ".page-head button.primary", press(".page-head button.primary"), open],
    ["retention of all", "retention", ".list button", press(".list button >> nth=0"), open],
    ["new token", "tokens", ".page-head button", press(".page-head button"), open, unfold],
    ["range", "overview", ".p-throughput .segments button", press(".p-throughput .segments button"), open],
    ["palette", "overview", ".tile", (page) => page.keyboard.press("Control+k"), open],
    ["keys", "overview", ".tile", (page) => page.keyboard.press("?"), open],
    ["settings", "overview", ".tile", press(".side-end button:last-of-type"), open],
];

for (const locale of ["en-US", "ja-JP"]) {
    for (const colorScheme of ["light", "dark"]) {
        test(`axe finds nothing in tabs, editors and dialogs in ${locale}, ${colorScheme}`, async () => {
            const page = await browser.page("about:blank", { locale, colorScheme });
            page.setDefaultTimeout(10_000);
            const found = [];
            for (const [name, hash, wanted, act, shown, then] of places()) {
                try {
                    await page.goto("about:blank");
                    await page.goto(`${master.url}/#/${hash}`);
                    await page.waitForSelector(wanted);
                    await page.waitForSelector(".skeleton", { state: "detached" });
                    await act?.(page);
                    if (shown) await page.waitForSelector(shown);
                    await then?.(page);
                    await page.waitForTimeout(250); // what fades in is whole
                    found.push(...(await axe(page)).map((each) => `${name}: ${each}`));
                } catch (error) {
                    found.push(`${name}: ${String(error).split("\n").slice(0, 4).join(" ")}`);
                }
            }
            assert.deepEqual(found, []);
            assert.deepEqual(page.wrong, []);
            await page.context().close();
        });
    }
}
