// What the master is for, as every answer of it says (--environment).
import { computed, signal } from "@preact/signals";

export const environment = signal("");
export const isProduction = computed(() => /^prod(uction)?$/i.test(environment.value));

export type Tone = "red" | "amber" | "blue";
export const tone = computed<Tone>(() =>
    isProduction.value ? "red" : /^(staging|stage|test|qa)$/i.test(environment.value) ? "amber" : "blue",
);

export function learnEnvironment(fields: Headers): void {
    environment.value = fields.get("Junban-Environment") ?? "";
}
