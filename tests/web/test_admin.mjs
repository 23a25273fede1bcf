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
