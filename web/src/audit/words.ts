// Entries of the audit in words.
import type { Schemas } from "../base/api";
import { Raw } from "../base/json";
import { listed, t, word } from "../base/text";
import { treeOf, written } from "../base/tree";

export type Entry = Schemas["AuditEntry"];

export const actions = [
    ...["createOperation", "pauseOperation", "resumeOperation", "stopOperation", "undoOperation"],
    ...["retryJob", "cancelJob", "deleteJob", "restoreJob", "editJob", "duplicateJob", "trackJob", "untrackJob"],
    ...["retryFailures", "resolveFailures", "muteFailures", "extendResult", "discardResult", "getJob", "getResult"],
    ...["pause", "resume", "putMatcher", "deleteMatcher", "revertMatcher", "overrideBucket", "tripBreaker", "resetBreaker"],
    ...["putSchedule", "deleteSchedule", "pauseSchedule", "resumeSchedule", "runSchedule"],
    ...["registerWorker", "drainWorker", "resumeWorker", "deleteWorker", "putFilter", "deleteFilter"],
    ...["setRetention", "setNameRetention", "clearNameRetention", "createToken", "revokeToken", "signIn", "signOut"],
    ...["listAudit", "checkNamespace", "lostAuditEntries"],
] as const;

export const actionText = (action: string) => word("auditaction", action);

export function statusText(status: number): string {
    const own = word("auditstatus", String(status));
    if (own !== String(status)) return own;
    const values = { status: String(status) };
    return t(status >= 500 ? "audit.status.failed" : status >= 400 ? "audit.status.refused" : "audit.status.done", values);
}

function fields(value: unknown): ReadonlyMap<string, string> {
    const tree = value instanceof Raw ? treeOf(value.text) : undefined;
    return new Map(tree && "children" in tree ? tree.children.map(({ key, node }) => [key, written(node)]) : []);
}

// Field by field. What is gone has an arrow to nothing.
export function changeText(entry: Entry): string {
    const [before, after] = [fields(entry.before), fields(entry.after)];
    if ([before, after].some((each) => each.size === 2 && each.get("truncated") === "true" && each.has("size"))) return t("audit.large");
    const parts = [...new Set([...before.keys(), ...after.keys()])].map((key) => {
        const [was, is] = [before.get(key), after.get(key)];
        return was === is ? "" : t("pair", { a: key, b: was === undefined ? (is ?? "") : `${was} → ${is ?? "–"}` });
    });
    return listed(parts.filter(Boolean));
}

const jobId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

// Where the thing is shown that an entry is about.
export function placeOf({ action, target }: Entry): { screen: string; id?: string; parameters?: Record<string, string> } | undefined {
    if (target === "") return undefined;
    if (jobId.test(target)) return { screen: "jobs", parameters: { job: target } };
    if (action.includes("Matcher")) return { screen: "constraints", id: target };
    if (/Bucket|Breaker/.test(action)) {
        const constraint = target.split("/")[0] ?? ""; // mail-provider.concurrency1/eu
        return { screen: "constraints", id: constraint.slice(0, Math.max(0, constraint.lastIndexOf("."))) };
    }
    if (action.includes("Schedule")) return { screen: "schedules", id: target };
    if (action.includes("Worker")) return { screen: "workers", id: target };
    if (action.includes("Operation")) return { screen: "operations", id: target };
    if (action.includes("Failures")) return { screen: "failures", id: target };
    return undefined;
}
