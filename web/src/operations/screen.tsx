import type { JSX } from "preact";
import { place, write } from "../base/address";
import { mayOperate } from "../base/session";
import * as show from "../base/show";
import { t, word } from "../base/text";
import { ListPage, type ListColumn } from "../widgets/list";
import { Empty } from "../widgets/states";
import { OperationDetail } from "./detail";
import { actionText, Bar, bySkipped, selectionText, stateText, Steps } from "./parts";
import { operations, type Operation } from "./source";

export function OperationsScreen(): JSX.Element {
    if (place.value.id) return <OperationDetail key={place.value.id} id={place.value.id} />;
    const columns: ListColumn<Operation>[] = [
        {
            key: "what",
            title: t("operations.what"),
            cell: (o) => <a href={write({ screen: "operations", id: o.operation })}>{actionText(o)}</a>,
        },
        { key: "jobs", title: t("operations.jobs"), wide: true, cell: selectionText },
        { key: "progress", title: t("operations.progress"), cell: (o) => <Bar operation={o} /> },
        { key: "done", title: t("operations.done"), number: true, cell: (o) => show.count(o.done) },
        {
            key: "skipped",
            title: t("operations.skipped"),
            number: true,
            cell: (o) => <span title={bySkipped(o)}>{show.count(o.skipped)}</span>,
        },
        { key: "state", title: t("column.state"), cell: stateText },
        { key: "by", title: t("operations.by"), cell: (o) => word("actor", o.by ?? ""), least: true },
        { key: "why", title: t("reason"), cell: (o) => o.reason ?? "", least: true, text: true },
        { key: "at", title: t("operations.at"), cell: (o) => show.time(show.at(o.started_at ?? o.prepared_at)), least: true, whole: true },
        ...(mayOperate.value
            ? [
                  {
                      key: "do",
                      title: t("column.actions"),
                      cell: (o: Operation) => <Steps operation={o} />,
                  } satisfies ListColumn<Operation>,
              ]
            : []),
    ];
    return (
        <ListPage
            title={t("screen.operations")}
            source={operations}
            rows={(list) => list.operations.filter((each) => each.state !== "prepared")}
            columns={columns}
            keyOf={(each) => each.operation}
            empty={
                <Empty icon="operations" title={t("operations.none")}>
                    <p>{t("operations.none.hint")}</p>
                </Empty>
            }
        />
    );
}
