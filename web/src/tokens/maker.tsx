// A new token: what it may do, for which jobs and for how long.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { act, reasonHeader } from "../base/act";
import { api, take, type Schemas } from "../base/api";
import { t, word } from "../base/text";
import { parseSpan } from "../base/typed";
import { leaveEdit } from "../widgets/ask";
import { Dialog, DialogEnd } from "../widgets/dialog";
import { made } from "./newtoken";

type Role = Schemas["Role"];

const roles: readonly Role[] = ["pusher", "worker", "viewer", "operator", "admin"];
const spans = { day: 86_400, month: 2_592_000, year: 31_536_000, never: 0, span: NaN } as const;

export function TokenMaker({ isFirst, close, made: asked }: { isFirst: boolean; close: () => void; made: () => void }): JSX.Element {
    const [note, setNote] = useState("");
    const [has, setHas] = useState<ReadonlySet<Role>>(new Set(isFirst ? ["admin"] : []));
    const [names, setNames] = useState("");
    const [match, setMatch] = useState("");
    const [lasts, setLasts] = useState<keyof typeof spans>("year");
    const [typed, setTyped] = useState("90 d");
    const seconds = lasts === "span" ? parseSpan(typed) : spans[lasts];
    const isFaulty = !(lasts === "never" || seconds > 0);
    const isReady = has.size > 0 && !isFaulty;
    const isTouched = [note, names, match].some((each) => each.trim() !== "") || has.size !== (isFirst ? 1 : 0);
    const leave = () => void leaveEdit(isTouched, close);
    const make = async (event: Event) => {
        event.preventDefault();
        if (!isReady) return;
        const list = names.split(/[\s,、]+/).filter(Boolean);
        const body: Schemas["NewToken"] = {
            roles: roles.filter((role) => has.has(role)),
            ...(note.trim() && { note: note.trim() }),
            ...(list.length > 0 && { names: list }),
            ...(match.trim() && { match: match.trim() }),
            ...(seconds > 0 && { expires_in: seconds }),
        };
        const done = await act("token", async () => {
            made.value = await take(api.POST("/v1/tokens", { params: { header: reasonHeader() }, body }));
        });
        if (done) {
            asked();
            close();
        }
    };
    const hasAdmin = has.has("admin");
    return (
        <Dialog title={t("tokens.new")} close={leave}>
            <form class="form" onSubmit={(event) => void make(event)}>
                {isFirst && (
                    <p class="amber">
                        {t("tokens.first")} {!hasAdmin && t("tokens.first.admin")}
                    </p>
                )}
                <label>
                    {t("tokens.note")}
                    <input
                        type="text"
                        maxLength={200}
                        placeholder={t("tokens.note.hint")}
                        value={note}
                        onInput={(event) => setNote(event.currentTarget.value)}
                    />
                </label>
                <fieldset class="kept">
                    <legend>{t("tokens.roles")}</legend>
                    {roles.map((role) => (
                        <label key={role} class="check">
                            <input
                                type="checkbox"
                                checked={has.has(role)}
                                onChange={(event) => {
                                    const all = new Set(has);
                                    if (event.currentTarget.checked) all.add(role);
                                    else all.delete(role);
                                    setHas(all);
                                }}
                            />
                            <span>
                                {word("role", role)} <span class="faint">{t(`tokens.may.${role}`)}</span>
                            </span>
                        </label>
                    ))}
                </fieldset>
                <label>
                    {t("tokens.expires")}
                    <select value={lasts} onChange={(event) => setLasts(event.currentTarget.value as keyof typeof spans)}>
                        {Object.keys(spans).map((each) => (
                            <option key={each} value={each}>
                                {word("tokenspan", each)}
                            </option>
                        ))}
                    </select>
                </label>
                {lasts === "span" && (
                    <label>
                        {t("pause.span")}
                        <input
                            type="text"
                            value={typed}
                            aria-invalid={isFaulty}
                            onInput={(event) => setTyped(event.currentTarget.value)}
                        />
                        {isFaulty && (
                            <span class="red" role="alert">
                                {t("limitfield.nospan")}
                            </span>
                        )}
                    </label>
                )}
                <details>
                    <summary>{t("tokens.some")}</summary>
                    <div class="form">
                        <label>
                            {t("tokens.names")}
                            <input
                                type="text"
                                class="mono"
                                spellcheck={false}
                                placeholder="mail.*"
                                value={names}
                                onInput={(event) => setNames(event.currentTarget.value)}
                            />
                        </label>
                        <label>
                            {t("tokens.match")}
                            <input
                                type="text"
                                class="mono"
                                spellcheck={false}
                                maxLength={1024}
                                placeholder='job.argument.region == "eu"'
                                value={match}
                                onInput={(event) => setMatch(event.currentTarget.value)}
                            />
                        </label>
                    </div>
                </details>
                <DialogEnd leave={leave} go={t("tokens.make")} disabled={!isReady} />
            </form>
        </Dialog>
    );
}
