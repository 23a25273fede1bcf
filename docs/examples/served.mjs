// A worker that serves HTTP (openapi/worker.yaml). `JUNBAN_SECRET=SECRET node served.mjs PORT`
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const [port] = process.argv.slice(2);
const secret = process.env.JUNBAN_SECRET;

async function run(job) {
    if (!Number.isFinite(job.argument.pages))
        throw new TypeError("no pages");
    return { pages: job.argument.pages * 2 }; // the work itself
}

function isMasters(request, body) {
    const sentAt = request.headers["junban-time"] ?? "0";
    const code = createHmac("sha256", secret).update(`${request.method}\n${request.url}\n${sentAt}\n`).update(body).digest();
    const given = Buffer.from(request.headers["junban-signature"] ?? "", "hex");
    return given.length === code.length && timingSafeEqual(given, code) && Math.abs(Date.now() / 1000 - Number(sentAt)) < 300;
}

async function outcome(job) {
    try {
        return { type: "success", result: await run(job), finished_at: new Date().toISOString() };
    } catch (fault) {
        return { type: "failure", reason: "other", should_retry: !(fault instanceof TypeError), message: String(fault),
            finished_at: new Date().toISOString() };
    }
}

createServer(async (request, response) => {
    const answer = (status, value) => response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
    const parts = [];
    for await (const part of request)
        parts.push(part);
    const body = Buffer.concat(parts);
    if (request.url === "/v1/health")
        answer(200, {});
    else if (!isMasters(request, body))
        answer(401, {});
    else if (request.url === "/v1/run")
        answer(200, await outcome(JSON.parse(body)));
    else
        answer(404, {}); // this worker cannot stop a job
}).listen(Number(port), "127.0.0.1");
