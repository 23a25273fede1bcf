// Holding jobs back for a while.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { act } from "../base/act";
import { api, take } from "../base/api";
import { serverNow } from "../base/clock";
import { matchOf } from "../jobs/filter";
import { t, word } from "../base/text";
import { Dialog } from "../widgets/dialog";

const minutes = { open: 0, quarter: 15, hour: 60, day: 1440 } as const;

export function PauseDialog({ match, close }: { match: string; close: () => void }): JSX.Element {
    const [which, setWhich] = useState(match);
    const [span, setSpan] = useState<keyof typeof minutes>("open");
    const [why, setWhy] = useState("");
    const pause = async (event: Event) => {
        event.preventDefault();
        const expression = matchOf(which);
        const body = {
            reason: why.trim(),
            ...(expression && { match: expression }),
            ...(minutes[span] > 0 && { until: new Date(serverNow() + minutes[span] * 60_000).toISOString() }),
        };
        let id = "";
        const done = await act(
            "pause",
            async () => {
                id = (await take(api.POST("/v1/pause", { body }))).id;
            },
            t("done.pause"),
            () => resume(id),
        );
        if (done) close();
    };
    return (
        <Dialog title={t("pause.title")} close={close}>
            <form class="form" onSubmit={(event) => void pause(event)}>
                <label>
                    {t("pause.match")}
                    <input
                        type="text"
                        class="mono"
                        value={which}
                        placeholder={t("pause.all")}
                        spellcheck={false}
                        onInput={(event) => setWhich(event.currentTarget.value)}
                    />
                </label>
                <label>
                    {t("pause.until")}
                    <select value={span} onChange={(event) => setSpan(event.currentTarget.value as keyof typeof minutes)}>
                        {Object.keys(minutes).map((each) => (
                            <option key={each} value={each}>
                                {word("pausespan", each)}
                            </option>
                        ))}
                    </select>
                </label>
                <label>
                    {t("pause.why")}
                    <input type="text" required maxLength={200} value={why} onInput={(event) => setWhy(event.currentTarget.value)} />
                </label>
                <p class="faint">{t("pause.hint")}</p>
                <div class="dialog-end">
                    <span class="grow" />
                    <button type="button" onClick={close}>
                        {t("cancel")}
                    </button>
                    <button type="submit" class="primary" disabled={why.trim() === ""}>
                        {which.trim() === "" ? t("pause.do.all") : t("do.pause")}
                    </button>
                </div>
            </form>
        </Dialog>
    );
}

export function resume(id: string): Promise<unknown> {
    return take(api.POST("/v1/resume", { body: { id } }));
}
