import type { JSX } from "preact";
import { changed, go, parameter, write } from "../base/address";
import { api, take } from "../base/api";
import { isComposing } from "../base/composing";
import { useSource } from "../base/data";
import * as show from "../base/show";
import { t, tongue, word } from "../base/text";
import { useKept } from "../widgets/kept";
import { ListPage, Segments, type ListColumn } from "../widgets/list";
import { Empty } from "../widgets/states";
import { actions, actionText, changeText, placeOf, statusText, type Entry } from "./words";

const ranges = { "1h": 3600, "24h": 86_400, "7d": 604_800 } as const;
const isRange = (text: string): text is keyof typeof ranges => text in ranges;

function Filter({ name, label }: { name: "actor" | "target"; label: string }): JSX.Element {
    const { typed, type, sent } = useKept(parameter(name));
    return (
        <input
            type="text"
            aria-label={label}
            placeholder={label}
            value={typed}
            onInput={(event) => type(event.currentTarget.value)}
            onKeyDown={(event) => {
                if (event.key !== "Enter" || isComposing(event)) return;
                sent(typed.trim());
                go(changed({ [name]: typed.trim() || undefined, after: undefined }));
            }}
        />
    );
}

// Also the action of an address that this page has no words for.
function ActionFilter({ action }: { action: string }): JSX.Element {
    const isKnown = action === "" || actions.some((each) => each === action);
    const all = [...actions].sort((a, b) => actionText(a).localeCompare(actionText(b), tongue()));
    return (
        <select
            aria-label={t("audit.action")}
            value={action}
            onChange={(event) => go(changed({ action: event.currentTarget.value || undefined, after: undefined }))}
        >
            <option value="">{t("audit.any")}</option>
            {!isKnown && <option value={action}>{action}</option>}
            {all.map((each) => (
                <option key={each} value={each}>
                    {actionText(each)}
                </option>
            ))}
        </select>
    );
}

// A value of an entry; a click narrows the list to it.
function Narrow(props: { name: "actor" | "action"; value: string; tip?: string; children: string }): JSX.Element {
    const { name, value, tip, children } = props;
    const title = [t("pair", { a: t("audit.only"), b: value }), tip].filter(Boolean).join("\n");
    return (
        <a class="plain" href={changed({ [name]: value, after: undefined })} title={title}>
            {children}
        </a>
    );
}

function Target({ entry }: { entry: Entry }): JSX.Element {
    const to = placeOf(entry);
    const text = <code>{entry.target}</code>;
    return to ? <a href={write(to)}>{text}</a> : text;
}

export function AuditScreen(): JSX.Element {
    const asked = { actor: parameter("actor"), action: parameter("action"), target: parameter("target"), cursor: parameter("after") };
    const range = parameter("range");
    const query = {
        ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== "")),
        ...(isRange(range) && { last: ranges[range] }),
    };
    const list = useSource(
        `audit ${JSON.stringify(query)}`,
        (signal) => take(api.GET("/v1/audit", { params: { query: { ...query, limit: 100 } }, signal })),
        { every_ms: asked.cursor ? 0 : 10_000, least_ms: 2000 },
    );
    const columns: ListColumn<Entry>[] = [
        { key: "at", title: t("audit.at"), cell: (e) => <time title={show.exact(show.at(e.at))}>{show.time(show.at(e.at))}</time> },
        {
            key: "who",
            title: t("audit.who"),
            cell: (e) => (
                <Narrow name="actor" value={e.actor} tip={e.address}>
                    {e.note || word("actor", e.actor)}
                </Narrow>
            ),
        },
        { key: "from", title: t("audit.from"), cell: (e) => e.address ?? "", least: true, rare: true },
        {
            key: "action",
            title: t("audit.action"),
            cell: (e) => (
                <Narrow name="action" value={e.action}>
                    {actionText(e.action)}
                </Narrow>
            ),
        },
        { key: "target", title: t("audit.target"), cell: (e) => <Target entry={e} /> },
        {
            key: "result",
            title: t("audit.result"),
            number: true,
            cell: (e) =>
                e.result === undefined ? undefined : (
                    <span class={e.result >= 400 ? "red" : ""} title={statusText(e.result)}>
                        {e.result}
                    </span>
                ),
        },
        { key: "reason", title: t("reason"), cell: (e) => e.reason ?? "", least: true, text: true },
        {
            key: "change",
            title: t("audit.change"),
            wide: true,
            least: true,
            cell: (e) => {
                const text = changeText(e);
                return (
                    <code class="faint clamped" title={text.slice(0, 4000)}>
                        {text.slice(0, 500)}
                    </code>
                );
            },
        },
    ];
    const isFiltered = asked.actor !== "" || asked.action !== "" || asked.target !== "" || isRange(range);
    return (
        <ListPage
            title={t("screen.audit")}
            aside={
                <span class="filters">
                    <Filter name="actor" label={t("audit.actor.id")} />
                    <ActionFilter action={asked.action} />
                    <Filter name="target" label={t("audit.target")} />
                    <Segments
                        label={t("panel.range")}
                        options={["", ...Object.keys(ranges)].map((each) => ({
                            text: isRange(each) ? t(`window.${each}`) : t("audit.range.all"),
                            href: changed({ range: each || undefined, after: undefined }),
                            current: each === range,
                        }))}
                    />
                </span>
            }
            source={list}
            rows={({ entries }) => entries}
            columns={columns}
            keyOf={(e) => `${e.at} ${e.action} ${e.target}`}
            empty={
                <Empty icon="clock" title={t(isFiltered ? "audit.none.filtered" : "audit.none")}>
                    <p>
                        {isFiltered ? <a href={write({ screen: "audit" })}>{t("clear")}</a> : t("audit.none.hint")}
                    </p>
                </Empty>
            }
            below={({ next }) => (
                <p>
                    {asked.cursor && <a href={changed({ after: undefined })}>{t("audit.newest")}</a>}{" "}
                    {next && <a href={changed({ after: next })}>{t("audit.older")}</a>}
                </p>
            )}
        />
    );
}
