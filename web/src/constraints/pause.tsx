// Holding jobs back for a while.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { act, reasonHeader } from "../base/act";
import { api, take } from "../base/api";
import { serverNow } from "../base/clock";
import { isProduction } from "../base/environment";
import * as show from "../base/show";
import { matchOf } from "../jobs/filter";
import { t, word } from "../base/text";
import { parseSpan } from "../base/typed";
import { Dialog, DialogEnd } from "../widgets/dialog";
import { isTyped, TypedNumber, wide_min } from "../widgets/typednumber";
import { TimeInput } from "./inputs";
import { Problem, usePreview } from "./preview";

const seconds = { open: 0, quarter: 900, hour: 3600, day: 86_400, span: NaN, until: NaN } as const;

export function PauseDialog({ match, close }: { match: string; close: () => void }): JSX.Element {
    const [which, setWhich] = useState(match);
    const [span, setSpan] = useState<keyof typeof seconds>("open");
    const [typed, setTyped] = useState("30 m");
    const [until, setUntil] = useState<string>();
    const [why, setWhy] = useState("");
    const expression = matchOf(which, "pauses");
    const [number, setNumber] = useState("");
    const { preview, error, busy } = usePreview({ expression: expression || "true" });
    const ready = preview?.states.find((each) => each.state === "ready");
    const lasts = span === "span" ? parseSpan(typed) : seconds[span];
    const isWrong = span === "until" ? until === undefined || show.at(until) <= serverNow() : !(span === "open" || lasts > 0);
    // Also while nobody knows how many these are.
    const mustType = isProduction.value && (ready?.matched ?? wide_min) >= wide_min;
    const isAgreed = !mustType || (!busy && ready !== undefined && isTyped(number, ready.matched));
    const pause = async (event: Event) => {
        event.preventDefault();
        if (isWrong || !isAgreed) return;
        const body = {
            reason: why.trim(),
            ...(expression && { match: expression }),
            ...(span === "until" ? { until } : span !== "open" && { for: lasts }),
        };
        let id = "";
        const done = await act(
            "pause",
            async () => {
                id = (await take(api.POST("/v1/pause", { body }))).id;
            },
            t("done.pause"),
            { act: () => resume(id), about: () => `pause ${id}` },
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
                    <select value={span} onChange={(event) => setSpan(event.currentTarget.value as keyof typeof seconds)}>
                        {Object.keys(seconds).map((each) => (
                            <option key={each} value={each}>
                                {word("pausespan", each)}
                            </option>
                        ))}
                    </select>
                </label>
                {span === "span" && (
                    <label>
                        {t("pause.span")}
                        <input
                            type="text"
                            value={typed}
                            aria-invalid={isWrong}
                            onInput={(event) => setTyped(event.currentTarget.value)}
                        />
                        {isWrong && (
                            <span class="red" role="alert">
                                {t("limitfield.nospan")}
                            </span>
                        )}
                    </label>
                )}
                {span === "until" && (
                    <TimeInput label={t("pausespan.until")} value={until} set={(value) => setUntil(value as string | undefined)} />
                )}
                <label>
                    {t("pause.why")}
                    <input type="text" required maxLength={200} value={why} onInput={(event) => setWhy(event.currentTarget.value)} />
                </label>
                {error ? (
                    <Problem error={error} />
                ) : (
                    <p class="stops" aria-live="polite">
                        {ready
                            ? t(ready.complete ? "pause.stops" : "pause.stops.least", { n: ready.matched })
                            : t("loading")}
                    </p>
                )}
                {mustType && ready && <TypedNumber n={ready.matched} value={number} set={setNumber} />}
                <p class="faint">{t("pause.hint")}</p>
                <DialogEnd
                    leave={close}
                    go={which.trim() === "" ? t("pause.do.all") : t("do.pause")}
                    disabled={why.trim() === "" || isWrong || !isAgreed || error !== undefined}
                />
            </form>
        </Dialog>
    );
}

export function resume(id: string): Promise<unknown> {
    return take(api.POST("/v1/resume", { params: { header: reasonHeader() }, body: { id } }));
}
