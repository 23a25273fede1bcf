// The tokens of this namespace. The text of one is shown once, when it is made.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { act, reasonHeader } from "../base/act";
import { write } from "../base/address";
import { api, take, type Schemas } from "../base/api";
import { nowEachSecond } from "../base/clock";
import { useSource } from "../base/data";
import { session } from "../base/session";
import * as show from "../base/show";
import { listed, t, word } from "../base/text";
import { ask } from "../widgets/ask";
import { ListPage, type ListColumn } from "../widgets/list";
import { Empty } from "../widgets/states";
import { TokenMaker } from "./maker";

type Token = Schemas["Token"];

export function TokensScreen(): JSX.Element {
    const at = nowEachSecond();
    const [isNew, setNew] = useState(false);
    const list = useSource("tokens", (signal) => take(api.GET("/v1/tokens", { signal })), {
        kinds: ["tokens"],
        every_ms: 30_000,
        least_ms: 1000,
    });
    const all = list.data.value.value?.tokens;
    const revoke = async (token: Token) => {
        const others = (all ?? []).filter((each) => each.id !== token.id);
        const isLastAdmin = token.roles.includes("admin") && !others.some((each) => each.roles.includes("admin"));
        const title = t("tokens.revoke.title", { token: token.note || token.id });
        const stops = [
            t(isLastAdmin ? "tokens.revoke.admin" : "tokens.revoke.text"),
            ...(token.id === session.value.who ? [t("tokens.revoke.own")] : []),
            ...(token.roles.includes("worker") ? [t("tokens.revoke.worker")] : []),
            ...(token.roles.includes("pusher") ? [t("tokens.revoke.pusher")] : []),
        ];
        const text = others.length === 0 ? t("tokens.revoke.last") : stops.join(" ");
        if (!(await ask({ title, text, go: t("do.revoke"), danger: true }))) return;
        const params = { path: { token: token.id }, header: reasonHeader() };
        const done = await act(
            `revoke ${token.id}`,
            () => take(api.DELETE("/v1/tokens/{token}", { params })),
            t("tokens.revoked", { token: token.note || token.id }),
        );
        if (done) list.ask();
    };
    const ends = ({ expires_at }: Token) => {
        const due = show.at(expires_at);
        if (due === 0) return t("tokens.never");
        if (due <= at) return <span class="red">{t("tokens.expired", { at: show.time(due) })}</span>;
        return <span title={show.exact(due)}>{t("in", { span: show.age(due - at) })}</span>;
    };
    const scope = (token: Token) =>
        [token.names ? listed(token.names) : "", token.match ?? ""].filter(Boolean).join(" · ") || t("tokens.all.jobs");
    const maker = ({ created_by }: Token) =>
        created_by === "open"
            ? t("tokens.maker.none")
            : (all ?? []).find((each) => each.id === created_by)?.note || word("actor", created_by);
    const columns: ListColumn<Token>[] = [
        { key: "note", title: t("tokens.note"), wide: true, cell: (each) => each.note || <span class="faint">{t("tokens.no.note")}</span> },
        { key: "roles", title: t("tokens.roles"), cell: (each) => listed(each.roles.map((role) => word("role", role))) },
        { key: "scope", title: t("tokens.scope"), cell: scope, least: true, text: true },
        { key: "expires", title: t("tokens.expires"), cell: ends },
        {
            key: "used",
            title: t("tokens.used"),
            cell: (each) => (each.last_used_at ? t("ago", { span: show.age(at - show.at(each.last_used_at)) }) : t("tokens.unused")),
        },
        { key: "made", title: t("tokens.made"), cell: (each) => show.time(show.at(each.created_at)), least: true, whole: true },
        { key: "maker", title: t("tokens.maker"), cell: maker, least: true },
        {
            key: "id",
            title: t("column.id"),
            least: true,
            cell: (each) => (
                <a href={write({ screen: "audit", parameters: { actor: each.id } })} title={t("tokens.audit")}>
                    <code>{each.id}</code>
                </a>
            ),
        },
        {
            key: "do",
            title: t("column.actions"),
            cell: (each) => (
                <button type="button" onClick={() => void revoke(each)}>
                    {t("do.revoke")}
                </button>
            ),
        },
    ];
    return (
        <ListPage
            title={t("screen.tokens")}
            aside={
                <button type="button" class="primary" onClick={() => setNew(true)}>
                    {t("tokens.new")}…
                </button>
            }
            source={list}
            rows={({ tokens }) => tokens}
            columns={columns}
            keyOf={(each) => each.id}
            empty={
                <Empty icon="plug" title={t("tokens.none")}>
                    <p>{t("tokens.none.hint")}</p>
                </Empty>
            }
        >
            {isNew && <TokenMaker isFirst={all?.length === 0} close={() => setNew(false)} made={list.ask} />}
        </ListPage>
    );
}
