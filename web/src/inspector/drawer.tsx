// One job: why it is not running, its attempts, argument, outcome, history and fields.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { act } from "../base/act";
import { changed, parameter, write } from "../base/address";
import { api, take, type Schemas } from "../base/api";
import { nowEachSecond } from "../base/clock";
import { useSource } from "../base/data";
import { Icon, type IconName } from "../base/icon";
import { Raw } from "../base/json";
import { seesAll } from "../base/live";
import { mayOperate } from "../base/session";
import * as show from "../base/show";
import { isFinal, StateMark } from "../base/states";
import { t, word } from "../base/text";
import { attemptsPossible } from "../jobs/columns";
import { ask } from "../widgets/ask";
import { Copy } from "../widgets/copy";
import { useSeen } from "../widgets/seen";
import { Empty, Shown } from "../widgets/states";
import { JobActions } from "../jobs/actions";
import { EditDialog, NewJobDialog } from "../jobs/jobform";
import { Attempts } from "./attempts";
import { Explain } from "./explain";
import { Fields } from "./fields";
import { History } from "./history";
import { Payload } from "./payload";

export type Job = Schemas["Job"];
const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
const tabs = ["why", "attempts", "argument", "outcome", "history", "fields"] as const;
type Tab = (typeof tabs)[number];

// The job with its hidden values, once somebody has asked for them; that is noted in the audit.
function useRevealed(job: Job): { shown: Job; reveal: JSX.Element | undefined } {
    const [revealed, setRevealed] = useState<Job>();
    const ask_ = async () => {
        if (!(await ask({ title: t("reveal.title"), text: t("reveal.text"), go: t("reveal.go") }))) return;
        const params = { path: { id: job.id }, query: { reveal: true } };
        await act(`reveal values ${job.id}`, async () => setRevealed(await take(api.GET("/v1/jobs/{id}", { params }))));
    };
    const button = (
        <p>
            <button type="button" onClick={() => void ask_()}>
                {t("reveal")}
            </button>
        </p>
    );
    return { shown: revealed ?? job, reveal: job.masked && !revealed && mayOperate.value ? button : undefined };
}

function Argument({ job }: { job: Job }): JSX.Element {
    const { shown, reveal } = useRevealed(job);
    const { argument } = shown as { argument?: unknown };
    return argument instanceof Raw ? (
        <>
            {reveal}
            <Payload
                json={argument.text}
                bytes={job.argument_bytes}
                masked={shown.masked}
                path={job.masked ? undefined : "job.argument"}
                of={job.masked ? undefined : { job: job.id, part: ["argument"] }}
            />
        </>
    ) : (
        <p class="faint">{t("argument.left", { size: show.bytes(job.argument_bytes) })}</p>
    );
}

function Outcome({ job }: { job: Job }): JSX.Element {
    const { shown, reveal } = useRevealed(job);
    const outcome = shown.outcome as { type?: string; result?: unknown; error?: unknown; message?: string } | undefined;
    if (!isFinal(job.state)) return <p class="faint">{t("outcome.none")}</p>;
    const value = outcome?.type === "success" ? outcome.result : outcome?.error;
    return (
        <>
            {job.reason && (
                <p>
                    <strong>{word("reason", job.reason)}</strong>
                </p>
            )}
            {(outcome?.message ?? job.message) && <pre class="message">{outcome?.message || job.message}</pre>}
            {value instanceof Raw && value.text !== "null" ? (
                <>
                    {reveal}
                    <Payload
                        json={value.text}
                        masked={shown.masked}
                        of={job.masked ? undefined : { job: job.id, part: ["outcome", outcome?.type === "success" ? "result" : "error"] }}
                    />
                </>
            ) : (
                job.state === "succeeded" && (
                    <p class="faint">
                        {job.keep_result ? (job.result_kept ? t("outcome.kept") : t("outcome.collected")) : t("outcome.not.kept")}
                    </p>
                )
            )}
        </>
    );
}

function Head({ job }: { job: Job }): JSX.Element {
    const at = nowEachSecond();
    const facts = [
        t("head.attempt", { attempt: job.attempt, possible: attemptsPossible(job) }),
        t("head.priority", { priority: String(job.priority) }),
        t("head.enqueued", { age: show.age(at - show.at(job.created_at)) }),
        job.worker && (job.state === "running" || job.state === "awaiting") ? t("head.worker", { worker: job.worker }) : "",
        job.state === "scheduled" && job.run_at ? t("head.runs", { at: show.time(show.at(job.run_at)) }) : "",
    ].filter(Boolean);
    const progress = job.progress;
    return (
        <div class="inspector-head">
            <h2 title={job.name}>{job.name}</h2>
            <p class="ids">
                <code>{job.id}</code>
                <Copy text={job.id} label={t("copy.id")} />
            </p>
            <p class="facts">
                <StateMark state={job.state} cancelling={job.cancel_requested} />
                {facts.map((fact) => (
                    <span key={fact}>{fact}</span>
                ))}
            </p>
            {job.deleted_at && <p class="amber">{t("head.trash", { at: show.time(show.at(job.deleted_at)) })}</p>}
            {progress && job.state === "running" && (
                <p class="progress">
                    <progress value={progress.done ?? 0} max={progress.total} />
                    <span>
                        {show.percent((progress.done ?? 0) / Math.max(1, progress.total))} {progress.message}
                    </span>
                </p>
            )}
        </div>
    );
}

const icons: Record<Tab, IconName> = {
    why: "hourglass",
    attempts: "refresh",
    argument: "jobs",
    outcome: "check",
    history: "clock",
    fields: "more",
};

function Body({ job }: { job: Job }): JSX.Element {
    const [opened, setOpen] = useState<"" | "edit" | "duplicate">("");
    const asked = parameter("tab") as Tab;
    // Why a job waits depends on others, which not every token may see.
    const hasWhy = !isFinal(job.state) && seesAll.value;
    const first: Tab = hasWhy ? "why" : isFinal(job.state) && job.state !== "succeeded" ? "attempts" : "argument";
    const tab = tabs.includes(asked) && (asked !== "why" || hasWhy) ? asked : first;
    const title = (each: Tab) => (each === "attempts" ? t("tab.attempts", { n: job.attempts?.length ?? job.attempt }) : t(`tab.${each}`));
    return (
        <>
            <Head job={job} />
            <JobActions job={job} open={setOpen} />
            {opened === "edit" && <EditDialog job={job} close={() => setOpen("")} />}
            {opened === "duplicate" && <NewJobDialog like={job} close={() => setOpen("")} />}
            <nav class="tabs small" aria-label={t("inspector")} ref={useSeen(tab)}>
                {tabs
                    .filter((each) => each !== "why" || hasWhy)
                    .map((each) => (
                        <a key={each} class="tab" href={changed({ tab: each })} aria-current={each === tab ? "page" : undefined}>
                            <Icon name={icons[each]} />
                            {title(each)}
                        </a>
                    ))}
            </nav>
            <div class="inspector-body" tabIndex={0} role="region" aria-label={title(tab)}>
                {tab === "why" && <Explain job={job} />}
                {tab === "attempts" && <Attempts job={job} />}
                {tab === "argument" && <Argument job={job} />}
                {tab === "outcome" && <Outcome job={job} />}
                {tab === "history" && <History job={job} />}
                {tab === "fields" && <Fields job={job} />}
            </div>
        </>
    );
}

function Found({ id }: { id: string }): JSX.Element {
    const job = useSource(`job ${id}`, (signal) => take(api.GET("/v1/jobs/{id}", { params: { path: { id } }, signal })), {
        kinds: ["jobs"],
        every_ms: 10_000,
        least_ms: 1000,
    });
    const { value, error } = job.data.value;
    if (error?.status === 404 && value === undefined)
        return (
            <Empty icon="search" title={t("job.none")}>
                <p>
                    <code>{id}</code>
                </p>
                <p>{t("job.none.hint")}</p>
            </Empty>
        );
    return (
        <>
            {error?.status === 404 && <p class="amber note">{t("job.purged")}</p>}
            <Shown data={job.data.value} title={t("job.failed")} again={job.ask}>
                {(found) => <Body job={found} />}
            </Shown>
        </>
    );
}

export function InspectorDrawer({ id }: { id: string }): JSX.Element {
    const close = changed({ job: undefined, tab: undefined });
    return (
        <aside class="inspector" aria-label={t("inspector")}>
            <div class="inspector-bar">
                <span>{t("inspector")}</span>
                <a
                    class="quiet"
                    href={write({ screen: "jobs", parameters: { job: id } })}
                    target="_blank"
                    rel="noopener"
                    title={t("inspector.tab")}
                    aria-label={t("inspector.tab")}
                >
                    <Icon name="plug" />
                </a>
                <Copy text={new URL(write({ screen: "jobs", parameters: { job: id } }), location.href).href} label={t("copy.link")} />
                <a class="quiet" href={close} title={`${t("close")} (Esc)`} aria-label={t("close")}>
                    <Icon name="close" />
                </a>
            </div>
            {isId(id) ? (
                <Found key={id} id={id} />
            ) : (
                <Empty icon="search" title={t("job.bad")}>
                    <p>
                        <code>{id}</code>
                    </p>
                </Empty>
            )}
        </aside>
    );
}
