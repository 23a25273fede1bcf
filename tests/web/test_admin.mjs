// What an administrator does in the browser, with its effect at the API.
import assert from "node:assert/strict";
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
const open = async (hash, options) => {
    page = await browser.page(`${master.url}/${hash}`, options);
};
const retention = () => master.call("GET", "/v1/retention");
const cancelled = (name) => master.call("GET", `/v1/jobs/counts?state=cancelled&name=${name}`).then((found) => found.states.cancelled);
async function cancelledJobs(name, n) {
    for (let each = 0; each < n; ++each) {
        const { id } = await master.push({ name });
        await master.call("POST", `/v1/jobs/${id}/cancel`, {});
    }
}

test("of several who save the retention in one moment, one is told that it is saved", async () => {
    const before = await retention();
    // The connections are there from the second round on, so that all come at once.
    for (let round = 0; round < 10; ++round) {
        const { headers } = await fetch(`${master.url}/v1/retention`);
        const fields = { "Content-Type": "application/json", "If-Match": headers.get("etag") };
        const counts = [1, 2, 3, 4, 5, 6].map((each) => 10 * round + each);
        const save = (count) =>
            fetch(`${master.url}/v1/retention`, { method: "PUT", headers: fields, body: JSON.stringify({ failed: { count } }) });
        const answers = await Promise.all(counts.map(save));
        assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 412, 412, 412, 412, 412]);
        assert.equal((await retention()).failed.count, counts.find((_, each) => answers[each].status === 200));
    }
    await master.call("PUT", "/v1/retention", { failed: before.failed });
});

test("the retention is changed after it is said how many jobs end, and what others saved stays", async () => {
    await cancelledJobs("kept", 5);
    await open("#/retention");
    await page.click("tr:has-text('All names') button");
    await page.waitForSelector("dialog .purged:has-text('No job is purged')");
    const field = (state, part) => `dialog fieldset:has-text('${state}') label:has-text('${part}') input`;
    await page.fill(field("cancelled", "Number"), "2");
    await page.waitForSelector("dialog .purged:has-text('3 jobs are purged')");
    assert.deepEqual(await axe(page), []);
    assert.ok(await page.isDisabled("dialog button[type=submit]"));
    await page.fill("dialog .purged input", "4");
    assert.ok(await page.isDisabled("dialog button[type=submit]"));
    await master.call("PUT", "/v1/retention", { failed: { age: 3600 } }); // as somebody else saves it
    await page.fill("dialog .purged input", "３");
    await page.click("dialog button:has-text('Save and purge 3 jobs')");
    await page.waitForSelector("dialog .conflict:has-text('Nothing was overwritten')");
    assert.equal((await retention()).cancelled.count, 10_000);
    assert.deepEqual(await axe(page), []);
    await page.click("dialog .conflict button");
    assert.equal(await page.inputValue(field("failed", "Age")), "1 h");
    await page.fill("dialog .purged input", "3");
    await page.click("dialog button:has-text('Save and purge 3 jobs')");
    await until(async () => (await retention()).cancelled.count === 2, "saved");
    assert.equal((await retention()).failed.age, 3600);
    await until(async () => (await cancelled("kept")) === 2, "three are purged");
    await master.call("PUT", "/v1/retention", {});
});

test("a name gets a retention of its own, both change the same field, and it goes back to that of all, in Japanese", async () => {
    await cancelledJobs("own/?#%", 3);
    await open("#/retention", { locale: "ja-JP", colorScheme: "dark" });
    await page.click("button:has-text('名前ごとの設定')");
    await page.fill("dialog input.mono", "own/?#%");
    const field = (state, part) => `dialog fieldset:has-text('${state}') label:has-text('${part}') input`;
    await page.fill(field("失敗", "期間"), "2日");
    await page.waitForSelector("dialog .purged:has-text('消去されるジョブはありません')");
    await page.click("dialog button[type=submit]");
    await until(async () => (await retention()).names[0]?.failed.age === 172_800, "saved");
    await page.click("tr:has-text('own/?#%') button");
    await page.fill(field("失敗", "期間"), "3日");
    await page.waitForSelector("dialog .purged:has-text('消去されるジョブはありません')");
    await master.call("PUT", `/v1/retention/${encodeURIComponent("own/?#%")}`, { failed: { age: 5 }, succeeded: { count: 7 } });
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("dialog .conflict fieldset:has-text('失敗')");
    assert.equal(await page.locator("dialog .conflict fieldset").count(), 1);
    assert.deepEqual(await axe(page), []);
    await page.click("dialog .conflict label:has-text('自分の変更')");
    await page.click("dialog .conflict button");
    await page.click("dialog button[type=submit]:not([disabled])");
    await until(async () => (await retention()).names[0]?.failed.age === 259_200, "merged");
    assert.equal((await retention()).names[0].succeeded.count, 7);
    await page.click("tr:has-text('own/?#%') button");
    await page.click("dialog button:has-text('すべての名前と同じにする')");
    await page.click("dialog button[type=submit]:not([disabled])");
    await until(async () => (await retention()).names.length === 0, "as for all names");
    assert.equal(await cancelled(encodeURIComponent("own/?#%")), 3);
});

test("tokens are made, shown once, listed and revoked, and the first one stays on the page that then needs it", async () => {
    const own = await new Master().start();
    try {
        page = await browser.page(`${own.url}/#/tokens`);
        await page.waitForSelector(".empty:has-text('No tokens')");
        assert.deepEqual(await axe(page), []);
        await page.click("button:has-text('New token')");
        assert.ok(await page.isChecked("dialog label:has-text('administrator') input"));
        await page.fill("dialog label:has-text('Note') input", "<b>first</b>");
        await page.selectOption("dialog select", "span");
        await page.fill("dialog label:has-text('For how long') input", "2 d");
        assert.deepEqual(await axe(page), []);
        await page.click("dialog button[type=submit]");
        const secret = await page.textContent("dialog pre code");
        assert.deepEqual(await axe(page), []);
        const asked = (path, method = "GET", body) =>
            own.call(method, path, body, { Authorization: `Bearer ${secret}` });
        const { tokens } = await asked("/v1/tokens");
        assert.deepEqual([tokens[0].note, tokens[0].roles], ["<b>first</b>", ["admin"]]);
        const left = (Date.parse(tokens[0].expires_at) - Date.parse(tokens[0].created_at)) / 1000;
        assert.equal(Math.round(left), 172_800);
        await page.waitForSelector(".shell", { state: "detached" }); // the page itself needs one now
        assert.equal(await page.textContent("dialog pre code"), secret);
        await page.evaluate(() => {
            Object.defineProperty(navigator, "clipboard", { value: undefined }); // as on plain HTTP
            addEventListener("copy", () => (globalThis.copied = document.activeElement.value));
        });
        await page.click("dialog pre button");
        await until(() => page.evaluate((text) => globalThis.copied === text, secret), "the token is copied");
        await page.click("dialog button.primary");
        await until(() => page.evaluate((text) => !document.documentElement.innerHTML.includes(text), secret), "the secret is gone");
        assert.equal(await page.evaluate((text) => JSON.stringify({ ...localStorage, ...sessionStorage }).includes(text), secret), false);
        await asked("/v1/tokens", "POST", { note: "guest", roles: ["viewer"], names: ["mail.*"] });
        await page.context().setExtraHTTPHeaders({ Authorization: `Bearer ${secret}` });
        await page.reload();
        await page.waitForSelector("tr:has-text('guest'):has-text('mail.*')");
        assert.deepEqual(await axe(page), []);
        await page.click("tr:has-text('guest') button");
        await page.click("dialog button:has-text('Cancel')");
        assert.equal((await asked("/v1/tokens")).tokens.length, 2);
        await page.click("tr:has-text('first') button");
        await page.waitForSelector("dialog:has-text('the last one of an administrator')");
        await page.keyboard.press("Escape");
        await page.click("tr:has-text('guest') button");
        await page.click("dialog button.danger");
        await until(async () => (await asked("/v1/tokens")).tokens.length === 1, "revoked");
        await page.waitForSelector("tr:has-text('guest')", { state: "detached" });
    } finally {
        await own.end();
    }
});

test("the environment is shown, and production asks for the number of a wide action", async () => {
    const own = await new Master("--environment", "production").start();
    try {
        await own.call("POST", "/v1/jobs/batch", { jobs: Array.from({ length: 101 }, () => ({ name: "wide" })) });
        for (const [locale, colorScheme, button] of [
            ["ja-JP", "dark", "101\u2060件を取り消し"],
            ["en-US", "light", "Cancel 101 jobs"],
        ]) {
            page = await browser.page(`${own.url}/#/jobs?filter=wide`, { locale, colorScheme });
            await page.waitForSelector(".side .environment.red:has-text('production')");
            assert.match(await page.title(), /^production – /);
            await page.click(".rows .row >> nth=0 >> input");
            await page.click(".bulk button >> nth=0"); // all that match
            await page.click(locale === "ja-JP" ? ".bulk button:has-text('取り消し')" : ".bulk button:has-text('Cancel')");
            await page.waitForSelector(`dialog button:has-text('${button}')`);
            assert.ok(await page.isDisabled(`dialog button:has-text('${button}')`));
            assert.deepEqual(await axe(page), []);
            await page.fill("dialog input[inputmode=numeric] >> nth=-1", "100");
            assert.ok(await page.isDisabled(`dialog button:has-text('${button}')`));
            if (locale === "ja-JP") {
                assert.deepEqual(page.wrong, []);
                await page.context().close();
            }
        }
        await page.fill("dialog input[inputmode=numeric] >> nth=-1", "101");
        await page.click("dialog button:has-text('Cancel 101 jobs')");
        const count = () => own.call("GET", "/v1/jobs/counts").then((found) => found.states.cancelled);
        await until(async () => (await count()) === 101, "all are cancelled");
        await own.call("POST", "/v1/jobs/batch", { jobs: Array.from({ length: 101 }, () => ({ name: "paused" })) });
        await page.goto(`${own.url}/#/constraints`);
        await page.click("button:has-text('Pause jobs')");
        await page.fill("dialog input.mono", "paused");
        await page.fill("dialog input[required]", "vendor down");
        await page.waitForSelector("dialog label:has-text('101')");
        assert.ok(await page.isDisabled("dialog button.primary"));
        await page.fill("dialog input[inputmode=numeric]", "１０１"); // as an input method types it
        await page.click("dialog button.primary");
        await until(async () => (await own.call("GET", "/v1/pauses")).pauses.length === 1, "paused");
    } finally {
        await own.end();
    }
});
