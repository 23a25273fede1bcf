import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useSource } from "../base/data";
import { mayAdminister } from "../base/session";
import * as show from "../base/show";
import { stateIcon } from "../base/states";
import { Icon } from "../base/icon";
import { t, word } from "../base/text";
import { ListPage, type ListColumn } from "../widgets/list";
import { RetentionEditor } from "./editor";
import { draftOf, ends, readRetention, type End, type Opened } from "./settings";

interface Row {
    name: string; // "": all
    opened: Opened;
}

function kept({ name, opened }: Row, end: End): string {
    const draft = draftOf(opened.value, name);
    const [age, count] = [draft[`${end}.age`], draft[`${end}.count`]];
    const parts = [
        age === undefined ? "" : show.span(age),
        count === undefined ? "" : t("retention.jobs", { n: count }),
    ].filter(Boolean);
    return parts.join(" · ") || t("retention.as.all");
}

export function RetentionScreen(): JSX.Element {
    const [editing, setEditing] = useState<{ opened: Opened; name: string | undefined }>();
    const source = useSource("retention", readRetention, { kinds: ["retention"], every_ms: 30_000, least_ms: 1000 });
    const columns: ListColumn<Row>[] = [
        {
            key: "name",
            title: t("column.name"),
            wide: true,
            cell: ({ name }) => (name === "" ? <strong>{t("retention.every")}</strong> : <code>{name}</code>),
        },
        ...ends.map((end) => ({
            key: end,
            title: word("state", end),
            cell: (row: Row) => (
                <span class={`state-${end}`}>
                    <Icon name={stateIcon(end)} /> {kept(row, end)}
                </span>
            ),
        })),
        ...(mayAdminister.value
            ? [
                  {
                      key: "do",
                      title: t("column.actions"),
                      cell: ({ name, opened }: Row) => (
                          <button type="button" onClick={() => setEditing({ name, opened })}>
                              {t("do.edit")}
                          </button>
                      ),
                  } satisfies ListColumn<Row>,
              ]
            : []),
    ];
    const opened = source.data.value.value;
    return (
        <ListPage
            title={t("screen.retention")}
            aside={
                mayAdminister.value &&
                opened && (
                    <button type="button" class="primary" onClick={() => setEditing({ name: undefined, opened })}>
                        {t("retention.add")}…
                    </button>
                )
            }
            above={<p class="faint">{t("retention.hint")}</p>}
            source={source}
            rows={(value) => [{ name: "", opened: value }, ...value.value.names.map((each) => ({ name: each.name, opened: value }))]}
            columns={columns}
            keyOf={({ name }) => name}
            empty=""
        >
            {editing && <RetentionEditor {...editing} close={() => setEditing(undefined)} saved={source.ask} />}
        </ListPage>
    );
}
