import { api, take, type Schemas } from "../base/api";
import { source } from "../base/data";

export type Operation = Schemas["Operation"];
export const operations = source((signal) => take(api.GET("/v1/operations", { signal })), {
    kinds: ["operations"],
    every_ms: 15_000,
    least_ms: 700,
});
