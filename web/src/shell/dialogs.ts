// Dialogs that more than one screen opens, loaded when one is first opened.
import { late } from "../widgets/late";

const rest = () => import("./rest");

export const BulkDialog = late(() => rest().then((part) => part.BulkDialog));
export const MatcherEditor = late(() => rest().then((part) => part.MatcherEditor));
export const NewJobDialog = late(() => rest().then((part) => part.NewJobDialog));
export const PauseDialog = late(() => rest().then((part) => part.PauseDialog));
export const ScheduleEditor = late(() => rest().then((part) => part.ScheduleEditor));
