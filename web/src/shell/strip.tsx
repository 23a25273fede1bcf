// What keeps jobs from running, on every screen.
import type { JSX } from "preact";
import { write } from "../base/address";
import { Icon, type IconName } from "../base/icon";
import * as show from "../base/show";
import { listed, t, word, type Key } from "../base/text";
import { operations } from "../operations/source";
import { now, workers, type Overview } from "./overviewsource";

interface Item {
    key: string;
    icon: IconName;
    text: string;
    tip?: string;
    href?: string;
}

const readingMany = 100;
const news_ms = 15 * 60_000;
const memoryNear = 0.8;

const title = (of: { title?: string; matcher?: string; kind?: string }) => of.title || of.matcher || word("kind", of.kind ?? "");
const between = (parts: (string | undefined)[]) => parts.filter(Boolean).join(" · ");
const heldHref = write({ screen: "jobs", parameters: { state: "ready" } });

function ofServer(overview: Overview): Item[] {
    const items: Item[] = [];
    const { redis } = overview;
    const part = redis?.max_bytes ? (redis.used_bytes ?? 0) / redis.max_bytes : 0;
    if (redis && part > memoryNear) {
        items.push({
            key: "memory",
            icon: "warning",
            text: t("strip.memory", {
                part: show.percent(part),
                used: show.bytes(redis.used_bytes ?? 0),
                all: show.bytes(redis.max_bytes ?? 0),
            }),
        });
    }
    const back = show.at(redis?.back_at);
    if (redis && back > 0 && show.at(overview.now) - back < news_ms) {
        const values = { away: show.duration((redis.away ?? 0) * 1000), at: show.time(back) };
        items.push({ key: "away", icon: "plug", text: t(redis.restarted ? "strip.restarted" : "strip.away", values) });
    }
    return items;
}

function ofPauses(overview: Overview): Item[] {
    return overview.pauses.map((pause) => ({
        key: `pause ${pause.id}`,
        icon: "pause" as const,
        href: write({ screen: "jobs", parameters: { state: "ready", filter: pause.match } }),
        text: between([
            pause.match ? t("strip.paused", { match: pause.match }) : t("strip.paused.all"),
            pause.reason,
            t("strip.since", { at: show.time(show.at(pause.since)), by: word("actor", pause.by) }),
            pause.until ? t("strip.until", { at: show.time(show.at(pause.until)) }) : t("strip.until.resumed"),
        ]),
    }));
}

function ofLimits(overview: Overview): Item[] {
    const items: Item[] = [];
    if (overview.breakers.length > 0) {
        const each = overview.breakers.map((breaker) =>
            breaker.opens_at
                ? t("strip.breaker.next", { title: title(breaker), at: show.time(show.at(breaker.opens_at)) })
                : title(breaker),
        );
        items.push({
            key: "breakers",
            icon: "warning",
            text: t("strip.breakers", { n: each.length, titles: listed(each) }),
            href: heldHref,
        });
    }
    if (overview.backlogs.length > 0) {
        const each = overview.backlogs.map((backlog) => `${title(backlog)} (${word("overflow", backlog.overflow)})`);
        items.push({
            key: "backlogs",
            icon: "warning",
            text: t("strip.backlogs", { n: each.length, titles: listed(each) }),
            href: heldHref,
        });
    }
    const { held } = overview;
    if (held.jobs > 0 && held.by[0]) {
        const first = title(held.by[0]);
        const by = held.by.length > 1 ? t("strip.held.more", { title: first, n: held.by.length - 1 }) : first;
        items.push({
            key: "held",
            icon: "hourglass",
            text: t("strip.held", { n: held.jobs, by }),
            href: heldHref,
            tip: held.by
                .map((each) => t("strip.held.each", { jobs: each.jobs, title: title(each), kind: word("kind", each.kind) }))
                .join("\n"),
        });
    }
    if (held.reading >= readingMany) items.push({ key: "reading", icon: "hourglass", text: t("strip.reading", { n: held.reading }) });
    return items;
}

function ofWorkers(overview: Overview): Item[] {
    const items: Item[] = [];
    const { unasked } = overview;
    if (unasked.names[0]) {
        const names =
            unasked.names.length > 1
                ? t("more.names", { name: unasked.names[0].name, n: unasked.names.length - 1 })
                : unasked.names[0].name;
        items.push({
            key: "unasked",
            icon: "warning",
            text: between([t("unasked", { names }), t("jobs.ready", { n: unasked.jobs })]),
            tip: unasked.names
                .map((each) =>
                    between([
                        each.name,
                        t("jobs.ready", { n: each.jobs }),
                        each.asked_at ? t("asked.last", { at: show.time(show.at(each.asked_at)) }) : t("asked.never"),
                    ]),
                )
                .join("\n"),
            href: write({ screen: "jobs", parameters: { state: "ready", filter: namesFilter(unasked.names.map((each) => each.name)) } }),
        });
    }
    const lost = (workers.data.value.value?.workers ?? []).filter(
        (each) => each.state === "lost" && show.at(overview.now) - show.at(each.last_contact) < news_ms,
    );
    if (lost.length > 0)
        items.push({
            key: "lost",
            icon: "workers",
            text: between([t("strip.lost", { n: lost.length }), listed(lost.slice(0, 3).map((each) => each.worker))]),
        });
    return items;
}

function ofOperations(): Item[] {
    const running = (operations.data.value.value?.operations ?? []).filter((each) => each.state === "running" || each.state === "paused");
    return running.slice(0, 3).map((each) => ({
        key: `operation ${each.operation}`,
        icon: "operations",
        text: between([
            t(`do.${each.action}.n` as Key, { n: each.jobs }),
            show.percent(each.count > 0 ? each.position / each.count : 1),
            each.state === "paused" ? t("operation.paused") : undefined,
        ]),
        href: write({ screen: "operations" }),
    }));
}

export function namesFilter(names: readonly string[]): string {
    return names.length === 1
        ? `job.name == ${JSON.stringify(names[0])}`
        : `job.name in [${names.map((name) => JSON.stringify(name)).join(", ")}]`;
}

export function Strip(): JSX.Element | null {
    const overview = now.value;
    if (!overview) return null;
    const items = [...ofServer(overview), ...ofPauses(overview), ...ofLimits(overview), ...ofWorkers(overview), ...ofOperations()];
    if (items.length === 0)
        return (
            <div class="strip calm">
                <span>
                    <Icon name="check" />
                    {t("strip.nothing")}
                </span>
            </div>
        );
    return (
        <ul class="strip" aria-label={t("strip")}>
            {items.map((item) => {
                const inner = (
                    <>
                        <Icon name={item.icon} />
                        <span>{item.text}</span>
                    </>
                );
                return (
                    <li key={item.key} title={item.tip ?? item.text}>
                        {item.href ? <a href={item.href}>{inner}</a> : <span>{inner}</span>}
                    </li>
                );
            })}
        </ul>
    );
}
