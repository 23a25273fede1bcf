import { Failure } from "./api";
import { t } from "./text";

// Why something did not work, for people.
export function sentence(error: Failure): string {
    if (error.isUnreachable) return t("failure.unreachable");
    if (error.problem) return error.problem.detail;
    return t("failure.status", { status: String(error.status) });
}
