// Dialogs that more than one screen opens, loaded when one is first opened.
import { loadAllTexts, loadReasons } from "../base/text";
import { late } from "../widgets/late";

// With the other texts, and the sentences of the master, of which the first screen has few.
export const rest = async () => (await Promise.all([import("./rest"), loadAllTexts(), loadReasons()]))[0];

export const BulkDialog = late(() => rest().then((part) => part.BulkDialog));
export const MatcherEditor = late(() => rest().then((part) => part.MatcherEditor));
export const NewJobDialog = late(() => rest().then((part) => part.NewJobDialog));
export const PauseDialog = late(() => rest().then((part) => part.PauseDialog));
export const RangeDialog = late(() => rest().then((part) => part.RangeDialog));
export const WhyDialog = late(() => rest().then((part) => part.WhyDialog));
export const ScheduleEditor = late(() => rest().then((part) => part.ScheduleEditor));
