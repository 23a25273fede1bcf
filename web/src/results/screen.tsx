import type { JSX } from "preact";
import { act, reasonHeader } from "../base/act";
import { changed } from "../base/address";
import { api, take, type Schemas } from "../base/api";
import { nowEachSecond } from "../base/clock";
import { useSource } from "../base/data";
import { mayOperate } from "../base/session";
import * as show from "../base/show";
import { t } from "../base/text";
import { ListPage, type ListColumn } from "../widgets/list";
import { Empty } from "../widgets/states";

type Kept = Schemas["KeptResult"];
const day_s = 86_400;

export function ResultsScreen(): JSX.Element {
    const at = nowEachSecond();
    const list = useSource("results", (signal) => take(api.GET("/v1/results", { params: { query: { limit: 200 } }, signal })), {
        kinds: ["jobs"],
        every_ms: 10_000,
        least_ms: 2000,
    });
    const columns: ListColumn<Kept>[] = [
        { key: "name", title: t("column.name"), wide: true, cell: (r) => r.name ?? t("results.purged") },
        {
            key: "id",
            title: t("column.id"),
            cell: (r) => (
                <a href={changed({ job: r.id, tab: "outcome" })}>
                    <code>{r.id}</code>
                </a>
            ),
        },
        { key: "size", title: t("results.size"), number: true, cell: (r) => show.bytes(r.bytes) },
        {
            key: "finished",
            title: t("column.finished"),
            cell: (r) => (r.finished_at ? show.time(show.at(r.finished_at)) : ""),
            least: true,
        },
        { key: "expires", title: t("results.expires"), number: true, cell: (r) => t("in", { span: show.age(show.at(r.expires_at) - at) }) },
        ...(mayOperate.value
            ? [
                  {
                      key: "do",
                      title: t("column.actions"),
                      cell: (r: Kept) => (
                          <button
                              type="button"
                              onClick={() =>
                                  void act(
                                      `keep ${r.id}`,
                                      () =>
                                          take(
                                              api.PATCH("/v1/jobs/{id}/result", {
                                                  params: { path: { id: r.id }, header: reasonHeader() },
                                                  body: { ttl: day_s },
                                              }),
                                          ).then(list.ask),
                                      t("done.keep"),
                                  )
                              }
                          >
                              {t("do.keep")}
                          </button>
                      ),
                  } satisfies ListColumn<Kept>,
              ]
            : []),
    ];
    return (
        <ListPage
            title={t("screen.results")}
            source={list}
            rows={({ results }) => results}
            columns={columns}
            keyOf={(each) => each.id}
            empty={
                <Empty icon="results" title={t("results.none")}>
                    <p>{t("results.none.hint")}</p>
                </Empty>
            }
            below={({ results, total }) =>
                results.length > 0 && <p class="faint">{t("results.of", { n: results.length, total })}</p>
            }
        />
    );
}
