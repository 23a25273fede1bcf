// A worker that asks for jobs. `node pull.mjs http://127.0.0.1:7717 NAME`. As with junbanctl, JUNBAN_TOKEN is the token, or JUNBAN_TOKEN_FILE the
// file with it. Node itself reads NODE_EXTRA_CA_CERTS, the file with the certificates to believe.
import { readFileSync } from "node:fs";

const [url, name] = process.argv.slice(2);
const { JUNBAN_TOKEN, JUNBAN_TOKEN_FILE } = process.env;
const token = JUNBAN_TOKEN || (JUNBAN_TOKEN_FILE ? readFileSync(JUNBAN_TOKEN_FILE, "utf8").trim() : "");
const worker = `pull.mjs-${process.pid}`;
let stopping = false;
process.on("SIGTERM", () => { stopping = true; });

async function run(job) {
    if (!Number.isFinite(job.argument.pages))
        throw new TypeError("no pages");
    return { pages: job.argument.pages * 2 }; // the work itself
}

async function outcome(job) {
    const begin = { id: job.id, lease: job.lease };
    try {
        return { ...begin, type: "success", result: await run(job), finished_at: new Date().toISOString() };
    } catch (fault) {
        return { ...begin, type: "failure", reason: "other", should_retry: !(fault instanceof TypeError), message: String(fault),
            finished_at: new Date().toISOString() };
    }
}

// Reports, and takes the next job in the same trip. The same again is safe, so it is repeated until it is answered.
async function report(outcomes) {
    const body = { worker, outcomes, ...(stopping ? {} : { claim: { names: [name], wait: 5 } }) };
    const headers = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
    const post = async () => {
        const answer = await fetch(`${url}/v1/outcomes`, { method: "POST", headers, body: JSON.stringify(body), signal: AbortSignal.timeout(30_000) });
        return [answer.status, await answer.text()];
    };
    for (;;) {
        const [status, said] = await post().catch((fault) => [0, String(fault.cause ?? fault)]);
        if (status === 200)
            return JSON.parse(said).jobs ?? [];
        if (status >= 400 && status < 500 && status !== 429)
            throw new Error(said);
        console.error(`${url}: ${said}`); // also that its certificate is not believed
        if (stopping && outcomes.length === 0)
            return [];
        await new Promise((done) => setTimeout(done, 1_000));
    }
}

let jobs = [];
while (!stopping || jobs.length > 0)
    jobs = await report(await Promise.all(jobs.map(outcome)));
