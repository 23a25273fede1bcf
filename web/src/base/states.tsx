import type { JSX } from "preact";
import type { Schemas } from "./api";
import { Icon, type IconName } from "./icon";
import { t, word } from "./text";

export type State = Schemas["State"];
export const states: readonly State[] = ["scheduled", "depends", "ready", "running", "awaiting", "succeeded", "failed", "cancelled"];
const iconOf: Record<State, IconName> = {
    scheduled: "clock",
    depends: "chain",
    ready: "circle",
    running: "play",
    awaiting: "hourglass",
    succeeded: "check",
    failed: "cross",
    cancelled: "minus",
};

export function isFinal(state: State): boolean {
    return state === "succeeded" || state === "failed" || state === "cancelled";
}

export function stateIcon(state: State): IconName {
    return iconOf[state];
}

export function StateMark({ state, cancelling }: { state: State; cancelling?: boolean }): JSX.Element {
    return (
        <span class={`state state-${state}`}>
            <Icon name={iconOf[state]} />
            <span>{cancelling && state === "running" ? t("state.cancelling") : word("state", state)}</span>
        </span>
    );
}
