// All that the first screen can do without, in one part: a part for each would share so many small ones that a slow network waited for
// their number.
export { AuditScreen } from "../audit/screen";
export { MatcherEditor } from "../constraints/editor";
export { PauseDialog } from "../constraints/pause";
export { ConstraintsScreen } from "../constraints/screen";
export { FailuresScreen } from "../failures/screen";
export { InspectorDrawer } from "../inspector/drawer";
export { NewJobDialog } from "../jobs/jobform";
export { JobsScreen } from "../jobs/screen";
export { BulkDialog } from "../operations/bulk";
export { OperationsScreen } from "../operations/screen";
export { RangeDialog } from "../overview/rangedialog";
export { ResultsScreen } from "../results/screen";
export { RetentionScreen } from "../retention/screen";
export { ScheduleEditor } from "../schedules/editor";
export { SchedulesScreen } from "../schedules/screen";
export { TokensScreen } from "../tokens/screen";
export { WhyDialog } from "./whydialog";
export { WorkersScreen } from "../workers/screen";
