// The master's API, typed by openapi/master.yaml. Every request goes to the master that the page came from, also under a path prefix.
import { signal } from "@preact/signals";
import createClient from "openapi-fetch";
import type { components, paths } from "../../made/api";
import { learnEnvironment } from "./environment";
import { parseExact } from "./json";
import { reader } from "./show";
import { loadReasons } from "./text";
import { translated } from "./wording";

export type Schemas = components["schemas"];
export type Problem = Schemas["Problem"];

export const root = new URL("./", document.baseURI).href.replace(/\/$/, "");

// How the master may be reached beyond its machine, as its last answer said: without TLS and tokens, or in plain HTTP behind what ends TLS.
export const exposure = signal<"" | "insecure" | "behind_tls">("");

// A connection may be gone without a word; then nothing would ever be answered.
const patience_s = { read: 30, write: 120 };

// Fails when there is no answer for long; what a request waits for (`wait`) is added.
async function timed<T>(request: Request, read: (answer: Response) => Promise<T>): Promise<T> {
    const control = new AbortController();
    const end = () => control.abort();
    const wait_s = Number(new URL(request.url).searchParams.get("wait") ?? 0);
    const patience = request.method === "GET" ? patience_s.read : patience_s.write;
    const timer = setTimeout(end, (patience + wait_s) * 1000);
    request.signal.addEventListener("abort", end);
    try {
        return await read(await fetch(request, { signal: control.signal }));
    } catch (error) {
        throw control.signal.aborted && !request.signal.aborted ? new TypeError("no answer") : error;
    } finally {
        clearTimeout(timer);
        request.signal.removeEventListener("abort", end);
    }
}

// An answer whose JSON is read without loss (json.ts).
function exactFetch(request: Request): Promise<Response> {
    return timed(request, exact);
}

async function exact(answer: Response): Promise<Response> {
    const { headers } = answer;
    exposure.value = headers.has("Junban-Insecure") ? "insecure" : headers.has("Junban-Behind-TLS") ? "behind_tls" : "";
    learnEnvironment(answer.headers);
    if (answer.status === 204 || answer.status === 304) return answer;
    const text = await answer.text();
    const made = new Response(text, { status: answer.status, statusText: answer.statusText, headers: answer.headers });
    made.headers.set("Content-Length", String(text.length));
    Object.defineProperty(made, "json", { value: () => Promise.resolve(parseExact(text)) });
    return made;
}

export const api = createClient<paths>({ baseUrl: root, fetch: exactFetch, headers: { Accept: "application/json" } });

// Why there is no answer: a problem of the master, or none, when it was not reached.
export class Failure extends Error {
    constructor(
        readonly problem: Problem | undefined,
        readonly status: number,
    ) {
        super(problem?.detail ?? "");
    }
    get isUnreachable(): boolean {
        return this.status === 0;
    }
}

function isProblem(value: unknown): value is Problem {
    return typeof value === "object" && value !== null && "code" in value && "detail" in value;
}

// The data of an answer, or a Failure. Sentences that have a reason are in the language of the page.
export async function take<T>(answer: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
    let came;
    try {
        came = await answer;
    } catch (error) {
        if (error instanceof DOMException && error.name === "AbortError") throw error;
        throw new Failure(undefined, 0);
    }
    if (came.error !== undefined || !came.response.ok) {
        await loadReasons(); // a refusal is often said once
        throw new Failure(isProblem(came.error) ? translated(came.error, reader) : undefined, came.response.status);
    }
    return translated(came.data as T, reader);
}

// The same with the revision of what came, to be sent back as If-Match.
export async function takeTagged<T>(
    answer: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<{ value: T; etag: string }> {
    const value = await take(answer);
    return { value, etag: (await answer).response.headers.get("etag") ?? "" };
}
