import type { JSX } from "preact";
import { nowEachSecond } from "../base/clock";
import { Icon, type IconName } from "../base/icon";
import * as show from "../base/show";
import { t, word } from "../base/text";
import type { Job } from "./drawer";

const icons: Record<string, IconName> = {
    success: "check",
    failure: "cross",
    timeout: "clock",
    released: "minus",
    cancelled: "minus",
    running: "play",
};
const tones: Record<string, string> = {
    success: "succeeded",
    failure: "failed",
    timeout: "failed",
    released: "cancelled",
    cancelled: "cancelled",
    running: "running",
};

export function Attempts({ job }: { job: Job }): JSX.Element {
    const at = nowEachSecond();
    const attempts = [...(job.attempts ?? [])].reverse();
    if (attempts.length === 0) return <p class="faint">{t("attempts.none")}</p>;
    return (
        <ol class="attempts">
            {attempts.map((attempt) => {
                const ended = attempt.ended ?? "running";
                const span = (show.at(attempt.ended_at) || at) - show.at(attempt.started_at);
                return (
                    <li key={`${attempt.attempt} ${attempt.started_at}`}>
                        <span class={`state state-${tones[ended] ?? "ready"}`}>
                            <Icon name={icons[ended] ?? "circle"} />
                            {t("attempt.head", { number: attempt.attempt, ended: word("ended", ended) })}
                        </span>
                        <p class="facts">
                            <span>{attempt.worker}</span>
                            <span title={show.exact(show.at(attempt.started_at))}>{show.time(show.at(attempt.started_at))}</span>
                            <span>{show.duration(span)}</span>
                        </p>
                        {attempt.message && <pre class="message">{attempt.message}</pre>}
                        {attempt.should_retry === false && <p class="faint">{t("attempt.no.retry")}</p>}
                        {attempt.next_run_at && (
                            <p class="faint">
                                {t("attempt.next", { span: show.duration(show.at(attempt.next_run_at) - show.at(attempt.ended_at)) })}
                            </p>
                        )}
                    </li>
                );
            })}
        </ol>
    );
}
