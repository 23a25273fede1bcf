// The revisions of a matcher, with what each changed; any of them can be put back.
import type { JSX } from "preact";
import { act, reasonHeader } from "../base/act";
import { api, take } from "../base/api";
import { useSource } from "../base/data";
import { differences } from "../base/merge";
import { mayOperate } from "../base/session";
import * as show from "../base/show";
import { t } from "../base/text";
import { Shown } from "../widgets/states";
import { partsOf } from "./merge";
import { partName, partTexts } from "./parts";

export async function restore(matcher: string, to: number, latest: number | undefined): Promise<number> {
    const header = { ...reasonHeader(), ...(latest === undefined ? { "If-None-Match": "*" as const } : { "If-Match": `"${latest}"` }) };
    const made = await take(
        api.POST("/v1/matchers/{matcher}/revert", { params: { path: { matcher }, header }, body: { revision: to } }),
    );
    return made.revision ?? 0;
}

export function Revisions({ matcher, restored }: { matcher: string; restored: () => void }): JSX.Element {
    const list = useSource(
        `revisions ${matcher}`,
        (signal) => take(api.GET("/v1/matchers/{matcher}/revisions", { params: { path: { matcher } }, signal })),
        { kinds: ["matchers"], least_ms: 1000 },
    );
    const putBack = (revision: number, latest: number) => {
        let made = 0;
        void act(
            `restore matcher ${matcher}`,
            async () => {
                made = await restore(matcher, revision, latest);
                restored();
                list.ask();
            },
            t("revision.done", { revision: String(revision) }),
            { act: () => restore(matcher, latest, made).then(restored) },
        );
    };
    return (
        <section class="panel">
            <header>
                <h2>{t("revision.title")}</h2>
            </header>
            <Shown data={list.data.value} title={t("panel.failed")} again={list.ask} rows={2}>
                {({ revisions }) => (
                    <ol class="revisions">
                        {revisions.map((each, at) => {
                            const before = revisions[at + 1];
                            const changes = before ? differences(partsOf(before), partsOf(each)) : [];
                            return (
                                <li key={each.revision}>
                                    <p class="facts">
                                        <strong>{t("matcher.revision", { revision: String(each.revision) })}</strong>
                                        <span>
                                            {show.edited(each.edited_at, each.edited_by)}
                                        </span>
                                        {at === 0 ? (
                                            <span class="green">{t("revision.now")}</span>
                                        ) : (
                                            mayOperate.value && (
                                                <button
                                                    type="button"
                                                    onClick={() => putBack(each.revision, revisions[0]?.revision ?? 0)}
                                                >
                                                    {t("revision.restore")}
                                                </button>
                                            )
                                        )}
                                    </p>
                                    {changes.length > 0 ? (
                                        <dl class="changes">
                                            {changes.map((change) => {
                                                const [was, is] = partTexts(change.before, change.after);
                                                return (
                                                    <div key={change.key}>
                                                        <dt>{partName(change.key)}</dt>
                                                        <dd>
                                                            <del>{was}</del> <ins>{is}</ins>
                                                        </dd>
                                                    </div>
                                                );
                                            })}
                                        </dl>
                                    ) : (
                                        <p class="faint">{t(before ? "revision.same" : "revision.first")}</p>
                                    )}
                                </li>
                            );
                        })}
                    </ol>
                )}
            </Shown>
        </section>
    );
}
