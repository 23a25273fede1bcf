// What the editor of a new JobMatcher begins with.
import type { Opened } from "./editor";

export const freshMatcher: Opened = {
    matcher: {
        id: "",
        title: "",
        expression: 'job.name.startsWith("mail.")',
        note: "",
        enabled: true,
        rank: 0,
        exempts: [],
        constraints: [{ kind: "rate", limit: 20, period: 1 }],
        revision: 0,
        edited_at: "",
        edited_by: "",
    },
    etag: "",
};
