// Who looks at the page, as the master says. A person signs in with a token, which becomes a cookie that no script can read; the page keeps
// neither. On the master's own machine nobody needs a token while there is none; then a person holds every role.
import { computed, effect, signal } from "@preact/signals";
import { api, Failure, take, type Problem, type Schemas } from "./api";
import { isFresh, seesAll, signedOut, startLive, stopLive } from "./live";
import { at } from "./show";

export type Role = Schemas["Role"];
export interface Session {
    phase: "asking" | "in" | "out";
    roles: readonly Role[];
    who: string; // in the audit: a token's id, or a place
    note: string;
    cookie: boolean; // there is a session, which can be ended
    expires_ms: number; // 0: never
    ended: boolean; // the page was used before it was signed out
    why?: Problem; // the master says why nobody is let in
}

const nobody: Session = { phase: "asking", roles: [], who: "", note: "", cookie: false, expires_ms: 0, ended: false };
export const session = signal<Session>(nobody);

function comeIn(said: Schemas["Session"]): void {
    const { roles, who, note = "", signed_in } = said;
    startLive(said.all_jobs); // first, so that what is asked for now is asked
    session.value = { ...nobody, phase: "in", roles, who, note, cookie: signed_in, expires_ms: at(said.expires_at) };
}

function goOut(why?: Problem): void {
    const before = session.value;
    stopLive();
    // The name stays, so that another person does not find what this one saw.
    session.value = { ...nobody, phase: "out", who: before.who, ended: before.phase === "in" || before.ended, why };
}

let asking: Promise<void> | undefined;

async function ask(): Promise<void> {
    try {
        comeIn(await take(api.GET("/v1/session")));
    } catch (error) {
        if (!(error instanceof Failure)) throw error;
        if (error.status === 401) goOut(error.problem);
        else startLive(); // which says what is wrong, and tries again
    } finally {
        asking = undefined;
    }
}

export function askSession(): Promise<void> {
    asking ??= ask();
    return asking;
}

// Nothing: it worked; "forgotten": the browser did not keep the cookie.
export async function signIn(token: string): Promise<Failure | "forgotten" | undefined> {
    const before = session.value.who;
    try {
        const said = await take(api.POST("/v1/session", { body: { token } }));
        await askSession();
        if (session.value.phase !== "in") return "forgotten";
        if (before !== "" && before !== said.who) location.reload();
        return undefined;
    } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return error;
    }
}

// With the page goes what it showed.
export async function signOut(everywhere: boolean): Promise<void> {
    try {
        await take(api.DELETE("/v1/session", { params: { query: everywhere ? { everywhere } : {} } }));
    } catch (error) {
        if (!(error instanceof Failure) || error.status !== 401) throw error; // it had ended already
    }
    stopLive();
    history.replaceState(null, "", "#/overview");
    location.reload();
}

let heard = 0;
signedOut.subscribe((count) => {
    if (count > heard) {
        heard = count;
        stopLive();
        void askSession();
    }
});
// The master could not be asked when the page was opened, and can be now.
effect(() => {
    if (isFresh.value && session.value.phase === "asking") void askSession();
});
// Another tab signed in.
addEventListener("focus", () => {
    if (session.value.phase === "out") void askSession();
});

// What the person may do. Where that is not enough, nothing is offered.
export const mayOperate = computed(() => session.value.roles.some((role) => role === "operator" || role === "admin"));
// Also what is not about single jobs, as limits, and what a token for some jobs is refused: to edit, star, delete and restore.
export const mayOperateAll = computed(() => mayOperate.value && seesAll.value);
export const mayAdminister = computed(() => session.value.roles.includes("admin"));
