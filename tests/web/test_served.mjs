// How the master serves the console's files.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Browser, Master } from "./harness.mjs";

const policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

let master;
let browser;
before(async () => {
    master = await new Master().start();
    browser = await new Browser().start();
});
after(async () => {
    await browser?.end();
    await master?.end();
});

const partsOf = (page) => [...page.matchAll(/(?:href|src)="(web\/[^"]+)"/g)].map((each) => each[1]);

test("the page has its policy, is asked for again, and loads nothing from elsewhere", async () => {
    const answer = await fetch(`${master.url}/`);
    const page = await answer.text();
    assert.equal(answer.headers.get("content-security-policy"), policy);
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    assert.equal(answer.headers.get("cross-origin-opener-policy"), "same-origin");
    assert.equal(answer.headers.get("referrer-policy"), "no-referrer");
    assert.equal(answer.headers.get("cache-control"), "no-cache");
    assert.match(answer.headers.get("content-type"), /^text\/html/);
    assert.doesNotMatch(page, /https?:\/\/|<script>|<style|style=|\son\w+=/);
    const again = await fetch(`${master.url}/`, { headers: { "If-None-Match": answer.headers.get("etag") } });
    assert.equal(again.status, 304);
    assert.equal(await again.text(), "");
    assert.ok(partsOf(page).length >= 3);
});

test("its parts are kept for good, compressed or not", async () => {
    const page = await (await fetch(`${master.url}/`)).text();
    for (const part of partsOf(page)) {
        const answer = await fetch(`${master.url}/${part}`);
        assert.equal(answer.headers.get("cache-control"), "public, max-age=31536000, immutable", part);
        assert.equal(answer.headers.get("content-encoding"), "gzip", part);
        assert.equal(answer.headers.get("content-security-policy"), policy, part);
        const text = await answer.text();
        const plain = await fetch(`${master.url}/${part}`, { headers: { "Accept-Encoding": "gzip;q=0" } });
        assert.equal(plain.headers.get("content-encoding"), null, part);
        assert.notEqual(plain.headers.get("etag"), answer.headers.get("etag"));
        assert.ok((await plain.text()) === text, part);
        assert.ok(!/\bimport\("https?:|new Function\(|\beval\(/.test(text), part);
    }
});

// What a page has loaded but for the answers of the API: names of files, and their bytes as they were sent.
const loaded = (page) =>
    page.evaluate(() =>
        [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
            .filter((each) => each.initiatorType !== "fetch")
            .map((each) => [each.name, each.encodedBodySize]),
    );

test("the first screen with its chart stays small", async () => {
    await master.push({ name: "mail.send" });
    for (const locale of ["en-US", "ja-JP"]) {
        const page = await browser.page(`${master.url}/`, { locale });
        await page.waitForSelector(".tile");
        await page.waitForSelector(".chart canvas");
        const files = await loaded(page);
        const bytes = files.reduce((sum, each) => sum + each[1], 0);
        assert.ok(files.length >= 5 && bytes > 30_000, `${files}`);
        assert.ok(bytes < 100_000, `${bytes} bytes for the first screen in ${locale}: ${files.join(" ")}`);
        assert.deepEqual(page.wrong, []);
        await page.context().close();
    }
});

test("a part that is gone, as after an upgrade, is said and loaded with the page", async () => {
    const page = await browser.page(`${master.url}/`);
    await page.waitForSelector(".chart canvas");
    const first = new Set((await loaded(page)).map((each) => each[0]));
    await page.route("**/web/part-*.js", (route) => (first.has(route.request().url()) ? route.continue() : route.fulfill({ status: 404 })));
    await page.click('.side a[href*="jobs"]');
    await page.waitForSelector("main [data-part=lost] button");
    await page.click('.side a[href*="overview"]');
    await page.waitForSelector(".tile");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("New job");
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog [data-part=lost]");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
    await page.click('.side a[href*="jobs"]');
    await page.waitForSelector("main [data-part=lost] button");
    await page.unroute("**/web/part-*.js");
    await page.click("main [data-part=lost] button");
    await page.waitForSelector("main [role=grid], main table");
    await page.context().close();
});

test("a chart and a language that are gone are said, and a first screen without its script, too", async () => {
    await master.push({ name: "mail.send" });
    const page = await browser.page("about:blank");
    const folder = `${process.env.JUNBAN_WEB_BUILT}/out`;
    const gone = (text) => {
        const holds = (name) => text.test(readFileSync(`${folder}/${name}`, "utf8"));
        const parts = readdirSync(folder).filter((name) => name.startsWith("part-") && holds(name));
        assert.ok(parts.length > 0, `no part has ${text}`);
        return page.route("**/web/part-*.js", (route) =>
            parts.some((name) => route.request().url().endsWith(name)) ? route.fulfill({ status: 404 }) : route.continue(),
        );
    };
    await gone(/u-over|概要/); // the classes of charts; the Japanese texts
    await page.goto(`${master.url}/`);
    await page.waitForSelector(".p-throughput [data-part=lost] button");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("日本語");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".toast.failed button:has-text('Load the page again')");
    await page.unroute("**/web/part-*.js");
    await page.click(".toast.failed button:has-text('Load the page again')");
    await page.waitForSelector(".side :text('概要')");
    await page.waitForSelector(".chart canvas");
    await gone(/\(Alt\+/); // the list of screens
    await page.reload();
    await page.waitForSelector("#console [role=alert] button");
    await page.unroute("**/web/part-*.js");
    await page.click("#console [role=alert] button");
    await page.waitForSelector(".tile");
    await page.context().close();
});

test("a page whose first scripts or styles are gone says so, each of them alone", async () => {
    const page = await browser.page("about:blank");
    const parts = partsOf(await (await fetch(`${master.url}/`)).text()).filter((part) => /\.(js|css)$/.test(part));
    assert.ok(parts.length >= 6, `${parts}`);
    for (const part of new Set(parts)) {
        await page.route(`**/${part}`, (route) => route.fulfill({ status: 404 }));
        await page.goto(`${master.url}/`);
        const offered = page.waitForSelector("#console [role=alert] button, #console .opening-late a");
        // What comes after a while, now.
        await page.waitForLoadState("load");
        await page.evaluate(() => document.getAnimations().forEach((each) => each.finish()));
        await offered;
        await page.unroute(`**/${part}`);
        await page.click("#console [role=alert] button, #console .opening-late a");
        await page.waitForSelector(".tile");
        assert.equal(await page.$(".opening-late"), null);
    }
    await page.context().close();
});

test("other paths and methods are answered as before", async () => {
    assert.equal((await fetch(`${master.url}/web/none.js`)).status, 404);
    assert.equal((await fetch(`${master.url}/web/`)).status, 404);
    assert.equal((await fetch(`${master.url}/`, { method: "POST" })).status, 404);
    const head = await fetch(`${master.url}/`, { method: "HEAD" });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), "");
});

test("an unknown host gets no page", async () => {
    const { request } = await import("node:http");
    const status = await new Promise((resolve, reject) => {
        request({ host: "127.0.0.1", port: master.port, path: "/", headers: { Host: "evil.example" } }, (answer) =>
            resolve(answer.statusCode),
        )
            .on("error", reject)
            .end();
    });
    assert.equal(status, 421);
});

test("--no-web serves none", async () => {
    const without = await new Master("--no-web").start();
    try {
        assert.match(await (await fetch(`${without.url}/`)).text(), /serves no web console/);
        assert.equal((await fetch(`${without.url}/index.html`)).status, 404);
        assert.equal((await fetch(`${without.url}/docs`)).status, 200);
    } finally {
        await without.end();
    }
});
