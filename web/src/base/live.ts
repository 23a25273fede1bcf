// What the master says was changed, over a WebSocket (/v1/live), or by asking (/v1/changes) where there is none, as behind some proxies.
// It tells honestly how fresh the page is: a socket that says nothing is asked, and one that does not answer is given up.
import { computed, signal, type Signal } from "@preact/signals";
import { api, Failure, root, take, type Problem, type Schemas } from "./api";
import { liveWait } from "./backoff";

type News = Schemas["News"];
export type Kind = News["changed"][number];

export type Phase = "connecting" | "live" | "asking" | "stale";
export interface Link {
    phase: Phase;
    heard_ms: number; // by this browser's clock: when the master was heard last; 0: never
    retry_ms: number; // when the next try is; 0: one is under way
    why: "unreachable" | "refused" | "store" | "";
    problem?: Problem;
}

const quiet_ms = 10_000; // then the master is asked whether it is there
const answer_ms = 6_000; // and has so long to answer
const hidden_ms = 20_000; // a tab that nobody sees rests after this
const asked_s = 20; // how long one /v1/changes waits
const socketAgain_ms = 60_000;
const poll_ms = 5000; // of a page that gets no news

export const link = signal<Link>({ phase: "connecting", heard_ms: 0, retry_ms: 0, why: "" });
export const isFresh = computed(() => link.value.phase === "live" || link.value.phase === "asking");

// Counts up when things of this kind were changed, and when the connection came back.
const kinds: Kind[] = ["jobs", "matchers", "schedules", "tokens", "retention", "operations"];
export const changes = Object.fromEntries(kinds.map((kind) => [kind, signal(0)])) as Record<Kind, Signal<number>>;
// Called when a request was answered 401: somebody must sign in.
export const signedOut = signal(0);
// Whether the person may see all jobs. A token for some of them is refused what tells of the others: news, counts, causes, limits, workers.
export const seesAll = signal(true);

let revision: number | undefined;
let socket: WebSocket | undefined;
let failures = 0;
let socketFailures = 0;
let stopped = true;
let timer = 0;
let watch = 0;
let askedAt_ms = 0;
let asking: AbortController | undefined;
let askUntil_ms = 0;

function bump(changed: readonly Kind[]): void {
    for (const kind of changed) ++changes[kind].value;
}

function heard(phase: Phase): void {
    const was = link.value;
    failures = 0;
    link.value = { phase, heard_ms: Date.now(), retry_ms: 0, why: "" };
    if (was.phase === "stale" && was.heard_ms !== 0) bump(kinds); // what failed meanwhile is asked for again
}

function lost(why: Link["why"], problem?: Problem): void {
    const wait_ms = liveWait(why === "unreachable", failures);
    ++failures;
    link.value = { phase: "stale", heard_ms: link.value.heard_ms, retry_ms: Date.now() + wait_ms, why, problem };
    clearTimeout(timer);
    timer = window.setTimeout(connect, wait_ms);
}

function takeNews(news: News, phase: Phase): void {
    revision = news.revision;
    heard(phase);
    bump(news.changed);
}

function closeSocket(): void {
    clearInterval(watch);
    const old = socket;
    socket = undefined;
    if (old) {
        old.onclose = old.onmessage = old.onerror = null;
        old.close();
    }
}

// Asks a silent master whether it is there.
function look(): void {
    const now = Date.now();
    if (askedAt_ms !== 0 && now - askedAt_ms > answer_ms) {
        closeSocket();
        lost("unreachable");
    } else if (
        askedAt_ms === 0 &&
        now - link.value.heard_ms > quiet_ms &&
        revision !== undefined &&
        socket?.readyState === WebSocket.OPEN
    ) {
        askedAt_ms = now;
        socket.send(JSON.stringify({ since: revision }));
    }
}

function openSocket(): void {
    const since = revision === undefined ? "" : `?since=${revision}`;
    const made = new WebSocket(`${root.replace(/^http/, "ws")}/v1/live${since}`, "junban.live");
    let opened = false;
    socket = made;
    askedAt_ms = Date.now();
    watch = window.setInterval(look, 1000);
    made.onmessage = (message: MessageEvent<string>) => {
        opened = true;
        askedAt_ms = 0;
        socketFailures = 0;
        const said = JSON.parse(message.data) as News | Problem;
        if ("revision" in said) takeNews(said, "live");
        else link.value = { phase: "stale", heard_ms: link.value.heard_ms, retry_ms: 0, why: "store", problem: said };
    };
    made.onclose = (event) => {
        closeSocket();
        if (event.code === 4401) {
            ++signedOut.value;
            return;
        }
        if (!opened) ++socketFailures;
        // A browser does not tell why a socket was refused; a request does.
        void ask(!opened);
    };
}

// Asks for changes: once when it is only to be known what is wrong with the socket, else again and again.
async function ask(toLearn: boolean): Promise<void> {
    asking?.abort();
    const control = new AbortController();
    asking = control;
    const patience = toLearn ? window.setTimeout(unanswered, answer_ms, control) : 0;
    if (toLearn && socketFailures < 2) askUntil_ms = 0;
    else if (socketFailures >= 2) askUntil_ms = Date.now() + socketAgain_ms;
    try {
        do {
            const query =
                revision === undefined ? {} : { since: revision, wait: askUntil_ms > 0 && link.value.phase === "asking" ? asked_s : 0 };
            const news = await take(api.GET("/v1/changes", { params: { query }, signal: control.signal }));
            if (control.signal.aborted) return;
            if (askUntil_ms > 0) takeNews(news, "asking");
        } while (Date.now() < askUntil_ms);
        timer = window.setTimeout(connect, askUntil_ms > 0 ? 0 : 200 + Math.random() * 400, true);
    } catch (error) {
        if (!control.signal.aborted) failed(error);
    } finally {
        clearTimeout(patience);
    }
}

function unanswered(control: AbortController): void {
    if (control.signal.aborted) return;
    control.abort();
    lost("unreachable");
}

function failed(error: unknown): void {
    if (!(error instanceof Failure)) throw error;
    if (error.isUnreachable) socketFailures = 0; // they tell nothing of sockets
    if (error.status === 401) ++signedOut.value;
    else lost(error.isUnreachable ? "unreachable" : error.status === 503 ? "store" : "refused", error.problem);
}

// Where there are no news: the master is asked whether it is there, and what is shown is read again.
async function poll(): Promise<void> {
    asking?.abort();
    const control = new AbortController();
    asking = control;
    try {
        await take(api.GET("/v1/session", { signal: control.signal }));
        if (control.signal.aborted) return;
        heard("asking");
        bump(["jobs", "operations"]);
        timer = window.setTimeout(connect, poll_ms);
    } catch (error) {
        if (!control.signal.aborted) failed(error);
    }
}

// `isThere`: the master has just answered. One that was gone is asked first, because a browser lets sockets wait where others failed.
function connect(isThere = false): void {
    clearTimeout(timer);
    if (stopped) return;
    closeSocket();
    const { phase, why } = link.value;
    if (phase === "stale") link.value = { ...link.value, retry_ms: 0 };
    if (!seesAll.peek()) void poll();
    else if (phase === "stale" && why === "unreachable" && !isThere) void ask(true);
    else openSocket();
}

export function retryNow(): void {
    if (link.value.phase === "stale" && link.value.retry_ms !== 0) connect();
}

export function startLive(all = true): void {
    seesAll.value = all;
    if (!stopped) return;
    stopped = false;
    failures = 0;
    link.value = { phase: "connecting", heard_ms: 0, retry_ms: 0, why: "" };
    connect();
}

// Whether the page may ask the master for anything.
export function isWatching(): boolean {
    return !stopped || rests;
}

export function stopLive(): void {
    stopped = true;
    clearTimeout(timer);
    asking?.abort();
    closeSocket();
}

let rest = 0;
let rests = false;
document.addEventListener("visibilitychange", () => {
    clearTimeout(rest);
    if (document.hidden) {
        rest = window.setTimeout(() => {
            rests = !stopped;
            if (rests) stopLive();
        }, hidden_ms);
    } else if (rests) {
        rests = false;
        stopped = false;
        connect(); // with the last revision: what happened meanwhile is told at once
    }
});
addEventListener("online", retryNow);
