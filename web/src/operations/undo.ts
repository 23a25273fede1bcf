import { reasonHeader } from "../base/act";
import { api, take } from "../base/api";

export function undoOperation(operation: string): Promise<unknown> {
    return take(api.POST("/v1/operations/{operation}/undo", { params: { path: { operation }, header: reasonHeader() } }));
}
