// The action on many jobs that is asked for, which its dialog shows.
import { signal } from "@preact/signals";
import type { Schemas } from "../base/api";

export type Action = "retry" | "cancel" | "delete" | "restore" | "release";
type Selection = Omit<Schemas["DryRun"], "dry_run" | "action" | "rate">;
export interface Bulk {
    action: Action;
    selection: Selection;
}

export const asked = signal<Bulk | undefined>(undefined);
