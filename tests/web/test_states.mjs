// What a screen shows while it loads, when it failed, and when what it shows is old.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axe, Browser, Master, until } from "./harness.mjs";

let master, browser;
before(async () => {
    master = await new Master().start();
    browser = await new Browser().start();
});
after(async () => {
    await browser?.end();
    await master?.end();
});

const refusal = {
    status: 503,
    contentType: "application/problem+json",
    body: JSON.stringify({ type: "about:blank", title: "", status: 503, code: "store_unavailable", detail: "Redis hangs." }),
};
const news = () => master.push({ name: "news" });

test("a request that nobody answers is given up, and said", async () => {
    const page = await browser.page("about:blank");
    await page.clock.install();
    const held = [];
    await page.route(
        (url) => url.pathname === "/v1/failures",
        (route) => void held.push(route),
    );
    await page.goto(`${master.url}/#/failures`);
    await page.waitForSelector("main .skeleton", { timeout: 60_000 });
    await page.clock.fastForward(31_000);
    await page.waitForSelector("main .trouble .countdown", { timeout: 60_000 });
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.clock.fastForward(31_000);
    await page.waitForSelector("main .trouble", { state: "detached", timeout: 60_000 });
    assert.deepEqual(page.wrong, []);
    await page.context().close();
});

// The screen, what it asks for, and how something of it is changed.
for (const [locale, lists] of [
    [
        "en-US",
        [
            ["overview", "/v1/overview"],
            ["jobs", "/v1/jobs"],
            ["failures", "/v1/failures", news],
            ["workers", "/v1/workers"],
            ["operations", "/v1/operations"],
            ["audit", "/v1/audit"],
        ],
    ],
    [
        "ja-JP",
        [
            ["results", "/v1/results"],
            ["schedules", "/v1/schedules"],
            ["constraints", "/v1/constraints", news],
            ["retention", "/v1/retention", () => master.call("PUT", "/v1/retention", {})],
            ["tokens", "/v1/tokens"],
        ],
    ],
]) {
    test(`a screen says that it loads, that it failed and since when, and that it is old, in ${locale}`, async () => {
        for (const [name, path, change] of lists) {
            const page = await browser.page("about:blank", { locale });
            let answer = "none";
            let tries = 0;
            const held = [];
            await page.route(
                (url) => url.pathname === path,
                (route) => {
                    ++tries;
                    if (answer === "none") return held.push(route);
                    return answer === "good" ? route.continue() : route.fulfill(refusal);
                },
            );
            await page.goto(`${master.url}/#/${name}`);
            await page.waitForSelector("main .skeleton", { timeout: 60_000 });
            answer = "bad";
            for (const route of held) await route.fulfill(refusal);
            await page.waitForSelector("main .trouble [role=alert]:has-text('Redis hangs.')", { timeout: 60_000 });
            await page.waitForSelector("main .trouble .countdown");
            assert.match(await page.textContent("main .trouble"), locale === "ja-JP" ? /から。/ : /Since \d/, name);
            const before = tries;
            await page.click("main .trouble button >> nth=0");
            await until(() => tries > before, "another try");
            answer = "good"; // of the next one, which comes by itself
            await page.waitForSelector("main .trouble", { state: "detached", timeout: 60_000 });
            if (change) {
                await page.waitForSelector(".fresh.good", { timeout: 60_000 });
                answer = "bad";
                await change();
                await page.waitForSelector("main .old [role=alert]", { timeout: 60_000 });
                assert.deepEqual(await axe(page), [], name);
                answer = "good";
                await page.waitForSelector("main .old", { state: "detached", timeout: 60_000 });
            }
            assert.deepEqual(page.wrong, []);
            await page.context().close();
        }
    });
}
