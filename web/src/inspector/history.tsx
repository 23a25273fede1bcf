import type { JSX } from "preact";
import { Raw } from "../base/json";
import * as show from "../base/show";
import { t, word } from "../base/text";
import { treeOf, written } from "../base/tree";
import type { Job } from "./drawer";

export function History({ job }: { job: Job }): JSX.Element {
    const history = [...(job.history ?? [])].reverse();
    if (history.length === 0) return <p class="faint">{t("history.none")}</p>;
    return (
        <ol class="history">
            {history.map((each, index) => {
                const details = each.details as unknown;
                return (
                    <li key={index}>
                        <time title={show.exact(show.at(each.at))}>{show.time(show.at(each.at))}</time>
                        <div>
                            <strong>{word("what", each.what)}</strong>
                            {each.attempt !== undefined && <span class="faint"> {t("history.attempt", { number: each.attempt })}</span>}
                            <p class="faint">
                                {[word("actor", each.actor), each.worker !== each.actor ? each.worker : undefined]
                                    .filter(Boolean)
                                    .join(" · ")}
                            </p>
                            {each.reason && <p>{each.reason}</p>}
                            {each.message && <pre class="message">{each.message}</pre>}
                            {each.run_at && <p class="faint">{t("history.run", { at: show.time(show.at(each.run_at)) })}</p>}
                            {details instanceof Raw && (
                                <p class="faint">
                                    <code>{t("history.before", { text: written(treeOf(details.text)) })}</code>
                                </p>
                            )}
                        </div>
                    </li>
                );
            })}
        </ol>
    );
}
