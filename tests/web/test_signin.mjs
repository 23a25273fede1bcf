// Signing in: a token becomes a session, the place is kept, roles decide what is offered, and a session that ended leads back to its place.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, afterEach, before, test } from "node:test";
import { axe, Browser, Master, until } from "./harness.mjs";

let master, browser, admin, page;
const by = (token) => ({ Authorization: `Bearer ${token}` });
const create = (roles, note) => master.call("POST", "/v1/tokens", { roles, note }, by(admin));

before(async () => {
    master = await new Master().start();
    browser = await new Browser().start();
    await master.push({ name: "mail.send" });
    admin = (await master.call("POST", "/v1/tokens", { roles: ["admin"], note: "root" })).token;
});
afterEach(async () => {
    await page?.context().close();
    page = undefined;
});
after(async () => {
    await browser?.end();
    await master?.end();
});

const unknown = {
    status: 401,
    contentType: "application/problem+json",
    body: JSON.stringify({ type: "about:blank", title: "", status: 401, code: "unauthorized", detail: "" }),
};

async function signIn(token, to = page) {
    await to.fill("#token", token);
    await to.keyboard.press("Enter");
    await to.waitForSelector(".shell");
}

test("a token typed in is exchanged, and the link that was opened is shown", async () => {
    const { token, id } = await create(["operator"], "ada");
    page = await browser.page(`${master.url}/#/jobs?state=ready&filter=mail.*`);
    await page.waitForSelector("h1:has-text('Sign in')");
    assert.equal(await page.evaluate(() => document.activeElement.id), "token");
    assert.deepEqual(await axe(page), []);
    await page.click("button.primary");
    await page.waitForSelector("[role=alert]:has-text('Enter a token')");
    await page.fill("#token", "jt_wrong");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=alert]:has-text('not known')");
    assert.equal(await page.evaluate(() => document.activeElement.id), "token");
    assert.deepEqual(await axe(page), []);
    await signIn(` ${token}\n`);
    await page.waitForSelector(".jobtable .row:has-text('mail.send')");
    assert.equal(new URL(page.url()).hash, "#/jobs?state=ready&filter=mail.*");
    // No script sees the secret, and nothing keeps the token.
    const kept = await page.evaluate(() => document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + location.href);
    assert.doesNotMatch(kept, /j[ts]_/);
    const [cookie] = await page.context().cookies();
    assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path], [true, "Strict", "/"]);
    // It lasts over a reload, and lives on the socket, too.
    await page.reload();
    await page.waitForSelector(".shell .account");
    await page.waitForSelector(".status:has-text('live')");
    await page.click(".account");
    await page.waitForSelector(`dialog:has-text('ada'):has-text('operator'):has-text('${id}')`);
    assert.deepEqual(await axe(page), []);
    await page.click("dialog button.primary");
    await page.waitForSelector("h1:has-text('Sign in')");
    assert.deepEqual(await page.context().cookies(), []);
    assert.equal(new URL(page.url()).hash, "#/overview");
    assert.deepEqual(page.wrong, []);
});

test("a cookie that the browser did not keep is said, with what a proxy has to do with it", async () => {
    const { token } = await create(["operator"], "ada");
    page = await browser.page(`${master.url}/`);
    await page.waitForSelector("#token");
    await page.route("**/v1/session", async (route) => {
        const answer = await route.fetch();
        const { "set-cookie": _, ...headers } = answer.headers();
        await route.fulfill({ response: answer, headers });
    });
    await page.route("**/v1/session", (route) => (route.request().method() === "POST" ? route.fallback() : route.fulfill(unknown)));
    await page.fill("#token", token);
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=alert]:has-text('did not keep'):has-text('X-Forwarded-Proto')");
    assert.deepEqual(await axe(page), []);
});

test("a viewer is offered nothing that would be refused, and asks for nothing of the kind", async () => {
    const { token } = await create(["viewer"], "eve");
    page = await browser.page(`${master.url}/`);
    const refused = [];
    page.on("response", (answer) => answer.status() === 403 && refused.push(`${answer.request().method()} ${answer.url()}`));
    await signIn(token);
    const { jobs } = await master.call("GET", "/v1/jobs", undefined, by(admin));
    const empty = ["failures", "results", "schedules", "constraints", "workers", "operations"].map((each) => [each, "main .empty"]);
    for (const [place, wanted] of [["overview", ".tile"], [`jobs?job=${jobs[0].id}`, ".gates .gate"], ...empty]) {
        await page.goto(`${master.url}/#/${place}`);
        await page.waitForSelector(wanted);
        const offered = await page.$$eval("button:not(.side button)", (all) => all.map((each) => each.innerText.trim()));
        const acting = /^(Retry|Cancel|Delete|Edit|Duplicate|Pause|Resume|New|Drain|Run now|Discard|Save|Restore)\b/;
        assert.deepEqual(offered.filter((text) => acting.test(text)), [], place);
        assert.equal(await page.locator(".rows input[type=checkbox]").count(), 0, "nothing is done with a selection");
    }
    assert.equal(await page.locator(".side a[href='#/audit']").count(), 0);
    assert.deepEqual(refused, []);
    assert.deepEqual(page.wrong, []);
});

test("a token for some jobs has what is of these jobs, and the page asks for nothing else", async () => {
    const mine = await master.call("POST", "/v1/jobs", { name: "img.resize", argument: { tenant: 7 } }, by(admin));
    const other = (await master.call("GET", "/v1/jobs?name=mail.send", undefined, by(admin))).jobs[0];
    for (const role of ["viewer", "operator"]) {
        const { token } = await master.call("POST", "/v1/tokens", { roles: [role], names: ["img.resize"] }, by(admin));
        page = await browser.page(`${master.url}/#/overview`);
        const refused = [];
        page.on("response", (answer) => answer.status() === 403 && refused.push(`${answer.request().method()} ${answer.url()}`));
        await signIn(token);
        await page.waitForSelector(".jobtable .row:has-text('img.resize')");
        assert.equal(new URL(page.url()).hash, "#/jobs", "the first screen that there is");
        assert.deepEqual(await page.$$eval(".side li a", (all) => all.map((each) => each.hash)), ["#/jobs", "#/operations"]);
        assert.equal(await page.locator(".jobtable .row:has-text('mail.send')").count(), 0);
        const all = { viewer: 1, operator: 2 }[role];
        await page.waitForSelector(`.tabs .tab:has-text('All') b:text-is('${all}')`); // not the number of all jobs
        await page.waitForSelector(".status:has-text('Only the jobs of your token')");
        // What is shown follows the master without being told.
        const next = await master.call("POST", "/v1/jobs", { name: "img.resize", argument: { tenant: 8 } }, by(admin));
        await page.waitForSelector(`.list-foot:has-text('new'), .jobtable .row >> nth=1`, { timeout: 20_000 });
        await page.click(".saved-open");
        await page.waitForSelector("dialog[open]");
        assert.equal(await page.locator("dialog .trouble").count(), 0);
        await page.keyboard.press("Escape");
        await page.keyboard.press("Control+k");
        await page.waitForSelector(".palette-list li");
        await page.keyboard.type("audit");
        await page.keyboard.press("Escape");
        for (const tab of ["", "&tab=why", "&tab=argument", "&tab=history", "&tab=fields"]) {
            await page.goto(`${master.url}/#/jobs?job=${mine.id}${tab}`);
            await page.waitForSelector(".inspector-head h2:has-text('img.resize')");
        }
        assert.equal(await page.locator(".inspector .tab:has-text('Why')").count(), 0);
        const offered = await page.$$eval(".inspector .actions button", (all) => all.map((each) => each.innerText.trim()));
        assert.deepEqual(offered, role === "operator" ? ["Cancel", "Duplicate"] : []);
        await page.goto(`${master.url}/#/jobs?job=${other.id}`);
        await page.waitForSelector(".inspector .empty");
        await page.goto(`${master.url}/#/failures`);
        await page.waitForSelector(".jobtable .row");
        await page.goto(`${master.url}/#/operations`);
        await page.waitForSelector("main .empty");
        assert.equal(await page.locator(".banner").count(), 0);
        assert.deepEqual(await axe(page), []);
        assert.deepEqual(refused, []);
        assert.deepEqual(page.wrong, []);
        await master.call("POST", `/v1/jobs/${next.id}/cancel`, {}, by(admin));
        await page.context().close();
        page = undefined;
    }
});

test("an operator has the actions, an administrator the audit as well", async () => {
    for (const [role, audits] of [
        ["operator", 0],
        ["admin", 1],
    ]) {
        const { token } = await create([role]);
        page = await browser.page(`${master.url}/#/schedules`);
        await signIn(token);
        await page.waitForSelector("button.primary");
        assert.equal(await page.locator(".side a[href='#/audit']").count(), audits, role);
        await page.context().close();
    }
    page = undefined;
});

test("a session that ends leads to the sign-in and back to the place", async () => {
    const first = await create(["viewer"], "first");
    page = await browser.page(`${master.url}/#/constraints`, { locale: "ja-JP" });
    await signIn(first.token);
    await page.waitForSelector(".page h1");
    await master.call("DELETE", `/v1/tokens/${first.id}`, undefined, by(admin));
    await page.waitForSelector(".signin:has-text('セッションが終わりました')");
    assert.deepEqual(await axe(page), []);
    const second = await create(["viewer"], "second");
    await signIn(second.token);
    await page.waitForSelector(".page h1");
    assert.equal(new URL(page.url()).hash, "#/constraints");
    assert.deepEqual(page.wrong, []);
});

test("signing out everywhere ends the other browser's session", async () => {
    const { token } = await create(["viewer"]);
    page = await browser.page(`${master.url}/`);
    const other = await browser.page(`${master.url}/`);
    await signIn(token);
    await signIn(token, other);
    await page.click(".account");
    await page.click("dialog button:has-text('everywhere')");
    await page.waitForSelector(".signin");
    await other.waitForSelector(".signin:has-text('session has ended')");
    await other.context().close();
});

test("two masters on one host do not sign each other out", async () => {
    const other = await new Master().start();
    try {
        const theirs = (await other.call("POST", "/v1/tokens", { roles: ["admin"], note: "theirs" })).token;
        page = await browser.page(`${master.url}/`);
        await signIn(admin);
        const beside = await page.context().newPage();
        await beside.goto(`${other.url}/`);
        await signIn(theirs, beside);
        assert.equal((await page.context().cookies()).length, 2);
        for (const each of [page, beside]) {
            await each.reload();
            await each.waitForSelector(".account");
        }
    } finally {
        await page?.context().close();
        page = undefined;
        await other.end();
    }
});

test("a page of another port neither changes anything nor reads with the cookie that the browser sends", async () => {
    const hostile = createServer((_, answer) => answer.setHeader("Content-Type", "text/html").end("<title>hostile</title>"));
    await new Promise((resolve) => hostile.listen(0, "127.0.0.1", resolve));
    try {
        page = await browser.page(`${master.url}/`);
        await signIn(admin);
        await page.goto(`http://127.0.0.1:${hostile.address().port}/`);
        const answers = await page.evaluate(async (url) => {
            const call = (path, options) =>
                fetch(url + path, { credentials: "include", ...options }).then(
                    (answer) => answer.type,
                    () => "refused",
                );
            const live = new Promise((resolve) => {
                const socket = new WebSocket(`${url.replace("http", "ws")}/v1/live`, "junban.live");
                socket.onopen = () => resolve("open");
                socket.onerror = () => resolve("refused");
            });
            await call("/v1/pause", { method: "POST", mode: "no-cors" });
            return [await call("/v1/jobs", {}), await live];
        }, master.url);
        assert.deepEqual(answers, ["refused", "refused"]);
        const pauses = async () => (await master.call("GET", "/v1/audit?action=pause", undefined, by(admin))).entries;
        const [tried] = await until(async () => ((await pauses()).length > 0 ? pauses() : undefined), "the attempt is in the audit");
        assert.deepEqual([tried.result, tried.actor], [403, "unknown"]);
    } finally {
        hostile.closeAllConnections();
        hostile.close();
    }
});

// What a page can try against a master that the browser reaches. Says what it could read, and waits until all was answered.
async function attack(url) {
    const wait = (ms) => new Promise((done) => setTimeout(done, ms));
    const read = [];
    const job = JSON.stringify({ name: "hostile" });
    const token = JSON.stringify({ roles: ["admin"], note: "hostile" });
    const schedule = JSON.stringify({ every: 60, job: { name: "hostile" } });
    const ask = async (path, options) => {
        try {
            const answer = await fetch(url + path, { credentials: "include", ...options });
            if (answer.type !== "opaque") read.push(`${options.method ?? "GET"} ${path}: ${answer.status}`);
        } catch {
            // As it should be.
        }
    };
    for (const path of ["/", "/v1/jobs", "/v1/session", "/v1/overview", "/v1/tokens", "/v1/changes", "/openapi.yaml"]) await ask(path, {});
    for (const [path, body] of [["/v1/jobs", job], ["/v1/tokens", token], ["/v1/pause", "{}"]]) {
        for (const type of ["text/plain", "application/json", "application/x-www-form-urlencoded"]) {
            const options = { method: "POST", body, headers: { "Content-Type": type } };
            await ask(path, options);
            await ask(path, { ...options, mode: "no-cors" });
        }
        navigator.sendBeacon(url + path, body);
    }
    await ask("/v1/schedules/hostile", { method: "PUT", body: schedule, headers: { "Content-Type": "application/json" } });
    await ask("/v1/session", { method: "DELETE" });
    const socket = new WebSocket(`${url.replace("http", "ws")}/v1/live`, "junban.live");
    await new Promise((done) => {
        socket.onopen = () => done(read.push("a socket"));
        socket.onerror = done;
    });
    // As a script, a style or a picture; a frame; a window.
    for (const [tag, name] of [["script", "src"], ["img", "src"], ["link", "href"]]) {
        const element = document.createElement(tag);
        element.rel = "stylesheet";
        element[name] = `${url}/v1/jobs`;
        await new Promise((done) => {
            element.onload = () => done(read.push(tag));
            element.onerror = done;
            document.body.append(element);
        });
    }
    const frame = document.createElement("iframe");
    frame.name = "answers";
    frame.src = `${url}/`;
    await new Promise((done) => {
        frame.onload = done;
        document.body.append(frame);
    });
    if (frame.contentWindow.length > 0 || frame.contentDocument?.body.innerText) read.push("a frame");
    const opened = open(`${url}/#/jobs`, "opened");
    await wait(1500);
    try {
        read.push(opened.document.title);
    } catch {
        // As it should be.
    }
    if (!opened.closed) read.push("the window stayed in hand");
    // Forms, whose answers go into the frame or into a window.
    for (const target of ["answers", "_blank"]) {
        for (const [path, body] of [["/v1/jobs", job], ["/v1/tokens", token], ["/v1/pause", '{"x": ""}']]) {
            for (const enctype of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
                const form = document.createElement("form");
                Object.assign(form, { method: "POST", action: url + path, enctype, target });
                const input = document.createElement("input");
                // As plain text it is JSON: {"name": "hostile", "message": "="}
                Object.assign(input, { name: `${body.slice(0, -1)}, "message": "`, value: '"}' });
                form.append(input);
                document.body.append(form);
                form.submit();
                await wait(150);
            }
        }
    }
    return read;
}

test("a hostile page, on another port or another name, reads nothing and writes nothing, by whatever a browser has", async () => {
    const hostile = createServer((_, answer) => answer.setHeader("Content-Type", "text/html").end("<title>hostile</title><body>"));
    await new Promise((resolve) => hostile.listen(0, "127.0.0.1", resolve));
    const open = await new Master().start();
    try {
        for (const [attacked, fields] of [[master, by(admin)], [open, {}]]) {
            const state = async () => {
                const found = [];
                for (const [path, key] of [["jobs", "jobs"], ["tokens", "tokens"], ["schedules", "schedules"], ["overview", "pauses"]])
                    found.push((await attacked.call("GET", `/v1/${path}`, undefined, fields))[key]?.length);
                return found;
            };
            const before = await state();
            for (const host of ["127.0.0.1", "localhost", "evil.localhost"]) {
                page = await browser.page(`${attacked.url}/`);
                if (attacked === master) await signIn(admin);
                else await page.waitForSelector(".shell");
                const refused = [];
                page.context().on("response", (answer) => {
                    const { origin, pathname } = new URL(answer.url());
                    if (origin === attacked.url && answer.request().method() !== "GET") refused.push([answer.status(), pathname]);
                });
                await page.goto(`http://${host}:${hostile.address().port}/`);
                assert.deepEqual(await page.evaluate(attack, attacked.url), [], host);
                // A browser gives up a form whose frame shows another answer by then, so not all of them are answered.
                const isRefused = (path) => refused.some(([status, its]) => status === 403 && its === path);
                await until(() => ["/v1/jobs", "/v1/tokens", "/v1/pause"].every(isRefused), `forms are answered: ${refused}`);
                assert.deepEqual(refused.filter(([status]) => status < 400), [], host);
                assert.deepEqual(await state(), before, host);
                // The person is still signed in, and no window knows who opened it.
                for (const other of page.context().pages()) assert.equal(await other.evaluate(() => globalThis.opener), null);
                await page.goto(`${attacked.url}/`);
                await page.waitForSelector(".shell");
                await page.context().close();
                page = undefined;
            }
            // A name that leads to the master, but is not the master's.
            page = await browser.page("about:blank");
            const answer = await page.goto(attacked.url.replace("127.0.0.1", "evil.localhost"));
            assert.equal(answer.status(), 421);
            await page.context().close();
            page = undefined;
        }
    } finally {
        await page?.context().close();
        page = undefined;
        hostile.closeAllConnections();
        hostile.close();
        await open.end();
    }
});

test("without a token this machine goes straight in, and there is nobody to sign out", async () => {
    const open = await new Master().start();
    try {
        page = await browser.page(`${open.url}/`);
        await page.waitForSelector(".shell .tile");
        await until(async () => (await page.locator(".side a[href='#/audit']").count()) === 1, "every role");
        assert.equal(await page.locator(".account").count(), 0);
        // The first token is made: from now on everybody needs one.
        await open.call("POST", "/v1/tokens", { roles: ["admin"] });
        await page.waitForSelector(".signin");
        assert.deepEqual(page.wrong, []);
    } finally {
        await page?.context().close();
        page = undefined;
        await open.end();
    }
});
