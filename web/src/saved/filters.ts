// Changes of saved filters.
import { api, take, type Schemas } from "../base/api";
import { hasPattern, plainSearch } from "../jobs/filter";
import type { SavedFilter } from "./places";

export function kindOf(text: string): SavedFilter["kind"] {
    if (plainSearch(text) === "") return "expression";
    return hasPattern(text) ? "pattern" : "text";
}

type Expected = "none" | SavedFilter;
// A filter that is expected to be as it was read, or not to be there.
const fields = (expected: Expected) => (expected === "none" ? { "If-None-Match": "*" as const } : { "If-Match": `"${expected.revision}"` });

export function putFilter(name: string, { screen, kind, text }: Schemas["NewFilter"], expected: Expected): Promise<SavedFilter> {
    return take(api.PUT("/v1/filters/{name}", { params: { path: { name }, header: fields(expected) }, body: { screen, kind, text } }));
}

export function deleteFilter(filter: SavedFilter): Promise<SavedFilter> {
    return take(api.DELETE("/v1/filters/{name}", { params: { path: { name: filter.name }, header: fields(filter) } }));
}
