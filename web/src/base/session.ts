// Who looks at the page. On the master's own machine nobody needs a token while there is none; then a person holds every role.
import { computed, signal } from "@preact/signals";
import { signedOut, startLive, stopLive } from "./live";

export type Role = "viewer" | "operator" | "admin";
export interface Session {
    signed_in: boolean;
    roles: readonly Role[];
}

export const session = signal<Session>({ signed_in: true, roles: ["viewer", "operator", "admin"] });

// Watches the master again, after a token was needed.
export function comeIn(): void {
    session.value = { ...session.value, signed_in: true };
    startLive();
}

let asked = 0;
signedOut.subscribe((count) => {
    if (count > asked) {
        asked = count;
        session.value = { ...session.value, signed_in: false };
        stopLive();
    }
});

// What the person may do. Where that is not enough, nothing is offered.
export const mayOperate = computed(() => session.value.roles.some((role) => role === "operator" || role === "admin"));
export const mayAdminister = computed(() => session.value.roles.includes("admin"));
