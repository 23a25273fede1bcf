// Real masters and a real browser for the tests of the web console.
import { spawn } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, readdirSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

const packages = createRequire(join(process.env.JUNBAN_WEB_NPM, "package.json"));
const { chromium } = packages("playwright-core");
const axeSource = readFileSync(packages.resolve("axe-core/axe.min.js"), "utf8");

// What a test that failed has left behind: node --test waits for it for ever.
const living = new Set();
after(async () => {
    for (const each of living) await each.end();
});

// Waits until condition() is true and returns its value. The time is long, because the machine may be busy.
export async function until(condition, what, seconds = 60) {
    const end = Date.now() + seconds * 1000;
    for (;;) {
        const value = await condition();
        if (value) return value;
        if (Date.now() > end) throw new Error(`not in time: ${what}`);
        await sleep(50);
    }
}

// One junband on a free port with a directory of its own. A restart keeps both.
export class Master {
    constructor(...options) {
        this.options = options;
        this.directory = mkdtempSync(join(tmpdir(), "junban-web-"));
        this.port = 0;
        living.add(this);
    }

    async start() {
        const log = openSync(join(this.directory, "master.log"), "a");
        this.process = spawn(
            join(process.env.JUNBAN_BIN, "junband"),
            ["--data-dir", this.directory, "--listen", `127.0.0.1:${this.port}`, ...this.options],
            { stdio: ["ignore", "pipe", log] },
        );
        const line = await new Promise((resolve, reject) => {
            let said = "";
            this.process.stdout.on("data", (data) => {
                said += data;
                if (said.includes("\n")) resolve(said);
            });
            this.process.on("exit", (code) =>
                reject(new Error(`the master ended with ${code}: ${readFileSync(join(this.directory, "master.log"))}`)),
            );
        });
        this.port = Number(/127\.0\.0\.1:(\d+)/.exec(line)[1]);
        this.url = `http://127.0.0.1:${this.port}`;
        return this;
    }

    async stop(signal = "SIGKILL") {
        if (this.process?.exitCode === null && this.process.signalCode === null) {
            const gone = new Promise((resolve) => this.process.once("exit", resolve));
            this.process.removeAllListeners("exit");
            this.process.once("exit", () => undefined);
            const ended = new Promise((resolve) => this.process.once("exit", resolve));
            this.process.kill(signal);
            await Promise.race([gone, ended]);
        }
    }

    // The pid of its Redis, found by the directory that it works in.
    redis() {
        for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
            try {
                if (
                    readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "redis-server" &&
                    readlinkSync(`/proc/${pid}/cwd`) === realpathSync(this.directory)
                )
                    return Number(pid);
            } catch {
                // It ended meanwhile.
            }
        }
        return undefined;
    }

    async end() {
        living.delete(this);
        await this.stop();
        const redis = this.redis();
        if (redis) {
            process.kill(redis, "SIGKILL");
            await until(() => this.redis() === undefined, "Redis is gone");
        }
        rmSync(this.directory, { recursive: true, force: true });
    }

    async call(method, path, body, fields = {}) {
        const answer = await fetch(this.url + path, {
            method,
            headers: { Accept: "application/json", ...(body !== undefined && { "Content-Type": "application/json" }), ...fields },
            body: typeof body === "string" ? body : body === undefined ? undefined : JSON.stringify(body),
        });
        const text = await answer.text();
        if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
        return text === "" ? undefined : JSON.parse(text);
    }

    push(job) {
        return this.call("POST", "/v1/jobs", job);
    }
}

export class Browser {
    async start() {
        this.browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
        living.add(this);
        return this;
    }

    end() {
        living.delete(this);
        return this.browser.close();
    }

    // A page of its own context. What goes wrong in it is kept in `page.wrong`: violations of the policy (by listening to the event: code
    // of a test is not under the policy), errors of scripts, and what is written to the console.
    async page(url, options = {}) {
        const context = await this.browser.newContext({
            viewport: { width: 1440, height: 900 },
            locale: "en-US",
            timezoneId: "UTC",
            ...options,
        });
        const page = await context.newPage();
        page.wrong = [];
        await context.exposeFunction("junbanViolated", (text) => page.wrong.push(`policy: ${text}`));
        await context.addInitScript(() => {
            addEventListener("securitypolicyviolation", (event) =>
                globalThis.junbanViolated(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`),
            );
        });
        page.on("pageerror", (error) => page.wrong.push(`error: ${error.stack ?? error}`));
        page.on("console", (message) => {
            // A browser writes every answer that is no success, and every connection that fails.
            if (["error", "warning"].includes(message.type()) && !/Failed to load resource|WebSocket connection to/.test(message.text()))
                page.wrong.push(`console: ${message.text()}`);
        });
        await page.goto(url);
        return page;
    }
}

// What axe finds.
export async function axe(page) {
    await page.evaluate(axeSource);
    const found = await page.evaluate(() =>
        globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }),
    );
    return found.violations.map(
        (each) =>
            `${each.id}: ${each.nodes
                .map((node) => `${node.target} ${node.failureSummary}`)
                .slice(0, 3)
                .join(" | ")}`,
    );
}

export function isStill(page) {
    return page.evaluate(() => document.fonts.ready.then(() => undefined));
}
