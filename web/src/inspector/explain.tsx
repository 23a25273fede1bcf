import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { changed } from "../base/address";
import { api, take, type Schemas } from "../base/api";
import { nowEachSecond } from "../base/clock";
import { useSource } from "../base/data";
import { Icon } from "../base/icon";
import * as show from "../base/show";
import { listed, t, word } from "../base/text";
import { Shown } from "../widgets/states";
import type { Job } from "./drawer";

type Explanation = Schemas["Explanation"];
type Gate = Schemas["Gate"];
const holdersShown = 3;

function gateName(gate: Gate): string {
    const own = word("gate", gate.gate);
    const name = own === gate.gate ? word("kind", gate.gate) : own; // the others are called as the kind of their constraint
    const title = gate.title || gate.matcher;
    return title ? t("pair", { a: name, b: title }) : name;
}

function workersText(gate: Gate, at: number): string {
    if ((gate.waiting ?? 0) > 0) return t("workers.waiting", { n: gate.waiting ?? 0 });
    if (!gate.asked_at) return t("workers.never");
    const values = { at: show.time(show.at(gate.asked_at)), span: show.age(at - show.at(gate.asked_at)) };
    return t(gate.status === "holding" ? "workers.since" : "workers.asked", values);
}

function details(gate: Gate, explanation: Explanation, at: number): string {
    if (gate.gate === "workers") return workersText(gate, at);
    const parts: string[] = [];
    const { used, limit, waiting } = gate;
    const backlog = gate.gate === "backlog";
    if (gate.key) parts.push(t("gatetext.key", { key: gate.key }));
    if ((gate.gate === "concurrency" || gate.gate === "share") && used !== undefined && limit !== undefined)
        parts.push(t("gatetext.used", { used, limit }));
    else if (limit !== undefined && gate.period) parts.push(t("gatetext.rate", { rate: show.limitRate(limit, gate.period) }));
    else if (limit !== undefined && !backlog) parts.push(t("gatetext.limit", { limit }));
    if ((gate.cost ?? 1) > 1) parts.push(t("gatetext.cost", { cost: gate.cost ?? 1 }));
    if (backlog && waiting !== undefined && limit !== undefined) parts.push(t("gatetext.backlog", { waiting, limit }));
    else if (waiting) parts.push(t("gatetext.waiting", { n: waiting }));
    if (gate.gate === "position" && explanation.position !== undefined)
        parts.push(explanation.position === 0 ? t("gatetext.first") : t("gatetext.ahead", { n: explanation.position }));
    if (gate.gate === "state") parts.push(word("state", explanation.state));
    const opens = show.at(gate.opens_at);
    if (opens > at) parts.push(t("gatetext.opens", { at: show.time(opens), in: show.age(opens - at) }));
    if (gate.reason) parts.push(gate.reason);
    if (gate.why) parts.push(gate.why.detail);
    return parts.join(" · ");
}

export function summary(explanation: Explanation, at: number): string {
    if (explanation.state === "running") return t("why.running");
    if (explanation.state === "depends") return t("why.depends");
    if (explanation.state === "awaiting") return t("why.awaiting");
    const holding = explanation.gates.filter((gate) => gate.status === "holding");
    const workers = holding.find((gate) => gate.gate === "workers");
    const others = holding.some((gate) => gate.gate !== "workers" && gate.gate !== "position");
    if (workers && !others) return t("why.workers", { text: workersText(workers, at) });
    if (holding.length > 0 && !others) return t("why.turn", { n: explanation.position ?? 1 });
    if (holding.length === 0) return t("why.nothing");
    const text = t("why.held", {
        gates: listed(holding.map((gate) => (gate.gate === "position" ? details(gate, explanation, at) : gateName(gate)))),
    });
    const estimate = show.at(explanation.estimate);
    return estimate > at ? `${text}\n${t("why.estimate", { at: show.time(estimate), in: show.age(estimate - at) })}` : text;
}

function GateLine({ gate, explanation, at }: { gate: Gate; explanation: Explanation; at: number }): JSX.Element {
    const holds = gate.status === "holding";
    const started = gate.gate === "state" && explanation.state === "running";
    const answer = started ? t("gatetext.started") : word("gatestatus", gate.status);
    const [shown, setShown] = useState(holdersShown);
    const holders = gate.holders ?? [];
    return (
        <li class={`gate ${gate.status}`}>
            <Icon name={holds ? "hourglass" : gate.status === "observed" ? "warning" : "check"} />
            <div>
                <strong>{gateName(gate)}</strong> <span class="gate-answer">{answer}</span>
                <p>{details(gate, explanation, at)}</p>
                {holders.length > 0 && (
                    <p>
                        {t("gatetext.holders")}{" "}
                        {holders.slice(0, shown).map((id) => (
                            <a key={id} class="holder" href={changed({ job: id, tab: undefined })}>
                                <code>{id}</code>
                            </a>
                        ))}
                        {holders.length > shown && (
                            <button type="button" class="link" onClick={() => setShown(holders.length)}>
                                {t("tree.more", { n: holders.length - shown })}
                            </button>
                        )}
                    </p>
                )}
                {gate.edited_at && (
                    <p class="faint">{show.edited(gate.edited_at, gate.edited_by)}</p>
                )}
            </div>
        </li>
    );
}

export function Explain({ job }: { job: Job }): JSX.Element {
    const explanation = useSource(
        `explain ${job.id} ${job.state}`,
        (signal) => take(api.GET("/v1/jobs/{id}/explain", { params: { path: { id: job.id } }, signal })),
        { kinds: ["jobs", "matchers"], every_ms: 3000, least_ms: 1000 },
    );
    const at = nowEachSecond();
    return (
        <Shown data={explanation.data.value} title={t("why.failed")} again={explanation.ask} rows={4}>
            {(found) => (
                <>
                    <p class="why">{summary(found, at)}</p>
                    <ol class="gates" aria-label={t("gates")}>
                        {found.gates.map((gate, index) => (
                            <GateLine key={index} gate={gate} explanation={found} at={at} />
                        ))}
                    </ol>
                </>
            )}
        </Shown>
    );
}
