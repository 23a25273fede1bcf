// The saved filters of a screen, beside its filter line: choose one, save the one that is applied, rename and delete. A viewer chooses.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { act } from "../base/act";
import { changed, go } from "../base/address";
import { Failure } from "../base/api";
import { isComposing } from "../base/composing";
import { Icon } from "../base/icon";
import { seesAll } from "../base/live";
import { mayOperateAll } from "../base/session";
import * as show from "../base/show";
import { t, word } from "../base/text";
import { ask } from "../widgets/ask";
import { Dialog } from "../widgets/dialog";
import { Empty, Skeleton, Trouble } from "../widgets/states";
import { deleteFilter, kindOf, putFilter } from "./filters";
import { listFilters, type SavedFilter, type Screen } from "./places";
import { recentFilters, remember } from "./recent";

const nameBytes_max = 200;
const textBytes_max = 4096;
const bytesOf = (text: string) => new TextEncoder().encode(text).length;

interface Read {
    filters?: readonly SavedFilter[];
    error?: Failure;
}

// Those of all screens; a token for some jobs only may read none. There is no live event of them: they are read when the menu is opened,
// and after each change.
function useFilters(): [Read, () => Promise<readonly SavedFilter[]>] {
    const [found, setFound] = useState<Read>({});
    const read = async () => {
        if (!seesAll.peek()) return [];
        try {
            const filters = await listFilters();
            setFound({ filters });
            return filters;
        } catch (error) {
            if (!(error instanceof Failure)) throw error;
            setFound((before) => ({ ...before, error }));
            return [];
        }
    };
    useEffect(() => void read(), []);
    return [found, read];
}

// Why a name cannot be one; empty: it can.
function nameFault(name: string): string {
    if (bytesOf(name) > nameBytes_max) return t("saved.name.long", { max: nameBytes_max });
    return "";
}

const isConflict = (error: unknown): error is Failure => error instanceof Failure && error.status === 412;

// What is there under the name that was chosen: it is replaced only when the person says so.
function Taken(props: { theirs: SavedFilter; text: string; replace: () => void; leave: () => void }): JSX.Element {
    const { theirs, text, replace, leave } = props;
    return (
        <section class="conflict" role="alert" aria-label={t("saved.taken", { name: theirs.name })}>
            <p class="amber">{t("saved.taken", { name: theirs.name })}</p>
            <dl class="saved-both">
                <dt>{t("saved.by", { by: word("actor", theirs.saved_by), at: show.time(show.at(theirs.saved_at)) })}</dt>
                <dd>
                    <code>{theirs.text}</code>
                </dd>
                <dt>{t("conflict.mine")}</dt>
                <dd>
                    <code>{text}</code>
                </dd>
            </dl>
            <div class="saved-do">
                <button type="button" onClick={leave}>
                    {t("saved.keep")}
                </button>
                <button type="button" class="danger" onClick={replace}>
                    {t("saved.replace")}
                </button>
            </div>
        </section>
    );
}

function SaveForm(props: { screen: Screen; text: string; read: () => Promise<readonly SavedFilter[]> }): JSX.Element {
    const { screen, text, read } = props;
    const [typed, setTyped] = useState("");
    const [taken, setTaken] = useState<SavedFilter>();
    const name = typed.trim();
    const fault = bytesOf(text) > textBytes_max ? t("saved.text.long", { max: textBytes_max }) : nameFault(name);
    const save = (expected: SavedFilter | "none") =>
        act("save filter", async () => {
            try {
                await putFilter(name, { screen, kind: kindOf(text), text }, expected);
            } catch (error) {
                if (!isConflict(error)) throw error;
                const theirs = (await read()).find((each) => each.name === name);
                setTaken(theirs);
                if (theirs) return;
                throw error; // it is gone again, or cannot be read
            }
            setTaken(undefined);
            setTyped("");
            await read();
        });
    return (
        <form
            class="saved-form"
            onSubmit={(event) => {
                event.preventDefault();
                if (name !== "" && !fault && !taken) void save("none");
            }}
        >
            <p>
                <span class="chip">{word("filterkind", kindOf(text))}</span> <code>{text}</code>
            </p>
            <div class="saved-do">
                <input
                    type="text"
                    class="grow"
                    aria-label={t("saved.name")}
                    placeholder={t("saved.name")}
                    aria-invalid={fault ? "true" : undefined}
                    value={typed}
                    onInput={(event) => {
                        setTyped(event.currentTarget.value);
                        setTaken(undefined);
                    }}
                />
                <button type="submit" class="primary" disabled={name === "" || fault !== "" || taken !== undefined}>
                    {t("save")}
                </button>
            </div>
            {fault && (
                <p class="red" role="alert">
                    {fault}
                </p>
            )}
            {taken && <Taken theirs={taken} text={text} replace={() => void save(taken)} leave={() => setTaken(undefined)} />}
        </form>
    );
}

function Rename(props: { filter: SavedFilter; read: () => Promise<unknown>; close: () => void }): JSX.Element {
    const { filter, read, close } = props;
    const [typed, setTyped] = useState(filter.name);
    const name = typed.trim();
    const fault = nameFault(name);
    // Under the new name first: a filter that is changed meanwhile by somebody else stays under the old one.
    const rename = () =>
        act("rename filter", async () => {
            try {
                await putFilter(name, filter, "none");
                await deleteFilter(filter);
            } finally {
                await read();
            }
            close();
        });
    return (
        <form
            class="saved-do"
            onSubmit={(event) => {
                event.preventDefault();
                if (name === filter.name) close();
                else if (name !== "" && !fault) void rename();
            }}
            onKeyDown={(event) => {
                if (event.key !== "Escape" || isComposing(event)) return;
                event.preventDefault(); // the dialog stays
                event.stopPropagation();
                close();
            }}
        >
            <input
                type="text"
                class="grow"
                autofocus
                aria-label={t("saved.rename", { name: filter.name })}
                aria-invalid={fault ? "true" : undefined}
                ref={(input) => input?.focus()}
                value={typed}
                onInput={(event) => setTyped(event.currentTarget.value)}
            />
            <button type="submit" class="primary" disabled={name === "" || fault !== ""}>
                {t("save")}
            </button>
            <button type="button" onClick={close}>
                {t("cancel")}
            </button>
        </form>
    );
}

function Row(props: { filter: SavedFilter; current: boolean; choose: () => void; read: () => Promise<unknown> }): JSX.Element {
    const { filter, read } = props;
    const { name } = filter;
    const [isRenamed, setRenamed] = useState(false);
    const remove = async () => {
        const question = { title: t("saved.delete.title", { name }), text: t("saved.delete.text"), go: t("saved.delete.go"), danger: true };
        if (!(await ask(question))) return;
        await act(`delete filter ${name}`, () => deleteFilter(filter).finally(() => void read()), t("saved.deleted", { name }));
    };
    if (isRenamed)
        return (
            <li>
                <Rename filter={filter} read={read} close={() => setRenamed(false)} />
            </li>
        );
    return (
        <li>
            <button
                type="button"
                class="saved-choose"
                aria-current={props.current ? "true" : undefined}
                title={t("saved.by", { by: word("actor", filter.saved_by), at: show.time(show.at(filter.saved_at)) })}
                onClick={props.choose}
            >
                <strong>{name}</strong>
                <span class="chip">{word("filterkind", filter.kind)}</span>
                <code>{filter.text}</code>
            </button>
            {mayOperateAll.value && (
                <>
                    <button
                        type="button"
                        class="quiet"
                        aria-label={t("saved.rename", { name })}
                        title={t("saved.rename", { name })}
                        onClick={() => setRenamed(true)}
                    >
                        <Icon name="pencil" />
                    </button>
                    <button
                        type="button"
                        class="quiet"
                        aria-label={t("saved.delete", { name })}
                        title={t("saved.delete", { name })}
                        onClick={() => void remove()}
                    >
                        <Icon name="bin" />
                    </button>
                </>
            )}
        </li>
    );
}

function SavedDialog({ screen, text, close }: { screen: Screen; text: string; close: () => void }): JSX.Element {
    const [{ filters, error }, read] = useFilters();
    const own = filters?.filter((each) => each.screen === screen) ?? [];
    const recent = recentFilters(screen).filter((each) => each !== text);
    const choose = (chosen: string) => {
        close();
        go(changed({ filter: chosen || undefined, view: undefined }));
    };
    return (
        <Dialog title={t(seesAll.value ? "saved" : "saved.recent")} close={close}>
            {error && <Trouble title={t("saved.failed")} error={error} again={() => void read()} />}
            {seesAll.value && !filters && !error && <Skeleton rows={3} />}
            {!seesAll.value && recent.length === 0 && <p class="faint">{t("saved.recent.none")}</p>}
            {filters && own.length === 0 && (
                <Empty icon="star" title={t("saved.none")}>
                    {mayOperateAll.value && text === "" && <p>{t("saved.none.hint")}</p>}
                </Empty>
            )}
            {own.length > 0 && (
                <ul class="saved-list" aria-label={t("saved")}>
                    {own.map((each) => (
                        <Row
                            key={`${each.name} ${each.revision}`}
                            filter={each}
                            current={each.text === text}
                            choose={() => choose(each.text)}
                            read={read}
                        />
                    ))}
                </ul>
            )}
            {mayOperateAll.value && filters && text !== "" && <SaveForm screen={screen} text={text} read={read} />}
            {recent.length > 0 && (
                <section aria-label={t("saved.recent")}>
                    <h3>{t("saved.recent")}</h3>
                    <ul class="saved-list">
                        {recent.map((each) => (
                            <li key={each}>
                                <button type="button" class="saved-choose" onClick={() => choose(each)}>
                                    <code>{each}</code>
                                </button>
                            </li>
                        ))}
                    </ul>
                </section>
            )}
        </Dialog>
    );
}

// `text`: the filter that is applied.
export function SavedFilters({ screen, text }: { screen: Screen; text: string }): JSX.Element {
    const [isOpen, setOpen] = useState(false);
    useEffect(() => remember(screen, text), [screen, text]);
    return (
        <>
            <button type="button" class="saved-open" aria-haspopup="dialog" onClick={() => setOpen(true)}>
                <Icon name="star" />
                {t(seesAll.value ? "saved" : "saved.recent.button")}
            </button>
            {isOpen && <SavedDialog screen={screen} text={text} close={() => setOpen(false)} />}
        </>
    );
}
