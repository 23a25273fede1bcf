// Ctrl+K: screens, commands, names, saved filters, JobMatchers, schedules, workers, operations, and jobs by a part of their id.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { go, write } from "../base/address";
import { api, take } from "../base/api";
import { isComposing } from "../base/composing";
import { Icon, type IconName } from "../base/icon";
import { seesAll } from "../base/live";
import { t, word } from "../base/text";
import { savedEntries } from "../saved/places";
import { Dialog } from "../widgets/dialog";
import { screens } from "./screens";

interface Entry {
    key: string;
    icon: IconName;
    text: string;
    act: () => void;
}

const id = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const idPart = /^[0-9a-f-]{4,35}$/i;
const ofEach_max = 8;
const pause_ms = 250; // between two letters

const to = (screen: string, of?: string) => () => go(write({ screen, id: of }));
const job = (of: string) => () => go(write({ screen: "jobs", parameters: { job: of } }));

// What the master has. A kind that cannot be read is left out.
async function known(): Promise<readonly Entry[][]> {
    const limit = { params: { query: { limit: 500 } } };
    const any = async (call: Promise<Entry[]>) => call.catch((): Entry[] => []);
    const each = async (call: () => Promise<Entry[]>) => (seesAll.peek() ? any(call()) : []);
    return Promise.all([
        each(() =>
            take(api.GET("/v1/names", limit)).then((page) =>
                page.names.map(({ name }) => ({
                    key: `name ${name}`,
                    icon: "jobs",
                    text: t("palette.name", { name }),
                    act: () => go(write({ screen: "jobs", parameters: { name } })),
                })),
            ),
        ),
        each(savedEntries),
        each(() =>
            take(api.GET("/v1/matchers", limit)).then((page) =>
                page.matchers.map((matcher) => ({
                    key: `matcher ${matcher.id}`,
                    icon: "constraints",
                    text: t("palette.matcher", { title: matcher.title || matcher.id }),
                    act: to("constraints", matcher.id),
                })),
            ),
        ),
        each(() =>
            take(api.GET("/v1/schedules", limit)).then((page) =>
                page.schedules.map((schedule) => ({
                    key: `schedule ${schedule.id}`,
                    icon: "schedules",
                    text: t("palette.schedule", { title: schedule.title || schedule.id }),
                    act: to("schedules", schedule.id),
                })),
            ),
        ),
        each(() =>
            take(api.GET("/v1/workers", limit)).then((page) =>
                page.workers.map(({ worker }) => ({
                    key: `worker ${worker}`,
                    icon: "workers",
                    text: t("palette.worker", { worker }),
                    act: to("workers", worker),
                })),
            ),
        ),
        any(
            take(api.GET("/v1/operations")).then((page) =>
                page.operations
                    .filter((each) => each.state !== "prepared")
                    .map((each) => ({
                        key: `operation ${each.operation} ${each.reason ?? ""} ${each.by}`.toLowerCase(),
                        icon: "operations",
                        text: t("palette.operation", { what: t(`do.${each.action}`), state: word("operation", each.state) }),
                        act: to("operations", each.operation),
                    })),
            ),
        ),
    ]);
}

// Jobs by a part of their id. The master looks at a bounded number of them for each page.
function useJobs(typed: string): readonly Entry[] {
    const [found, setFound] = useState<readonly Entry[]>([]);
    useEffect(() => {
        setFound([]);
        if (!idPart.test(typed)) return;
        const gone = new AbortController();
        const search = async () => {
            const match = `job.id.contains(${JSON.stringify(typed.toLowerCase())})`;
            const all: Entry[] = [];
            let cursor: string | undefined;
            do {
                const query = { match, limit: ofEach_max, ...(cursor && { cursor }) };
                const page = await take(api.GET("/v1/jobs", { params: { query }, signal: gone.signal }));
                for (const each of page.jobs) {
                    const text = t("palette.job.named", { id: each.id, name: each.name });
                    all.push({ key: `id ${each.id}`, icon: "search", text, act: job(each.id) });
                }
                if (gone.signal.aborted) return;
                setFound([...all]);
                cursor = page.next;
            } while (cursor !== undefined && all.length < ofEach_max);
        };
        const timer = setTimeout(() => void search().catch(() => undefined), pause_ms);
        return () => {
            clearTimeout(timer);
            gone.abort();
        };
    }, [typed]);
    return found;
}

export function Palette({ close, commands }: { close: () => void; commands: Entry[] }): JSX.Element {
    const [typed, setTyped] = useState("");
    const [at, setAt] = useState(0);
    const [kinds, setKinds] = useState<readonly Entry[][]>([]);
    useEffect(() => void known().then(setKinds), []);
    const jobs = useJobs(typed.trim());
    const found = useMemo(() => {
        const wanted = typed.trim().toLowerCase();
        const whole: Entry[] = id.test(wanted)
            ? [{ key: "id", icon: "search", text: t("palette.job", { id: wanted }), act: job(wanted) }]
            : [];
        const all: readonly Entry[] = screens().map((each) => ({
            key: each.screen,
            icon: each.icon,
            text: t(each.title),
            act: to(each.screen),
        }));
        const isFound = (each: Entry) => each.text.toLowerCase().includes(wanted) || each.key.toLowerCase().includes(wanted);
        const some = (entries: readonly Entry[]) => entries.filter(isFound).slice(0, ofEach_max);
        return [...whole, ...jobs, ...all.filter(isFound), ...commands.filter(isFound), ...kinds.flatMap(some)];
    }, [typed, kinds, jobs, commands]);
    const chosen = Math.min(at, found.length - 1);
    useEffect(() => document.getElementById(`palette-${chosen}`)?.scrollIntoView({ block: "nearest" }), [chosen]);
    const take_ = (entry: Entry | undefined) => {
        if (!entry) return;
        close();
        entry.act();
    };
    return (
        <Dialog title={t("palette")} close={close}>
            <input
                class="palette-input"
                type="text"
                autofocus
                role="combobox"
                aria-expanded="true"
                aria-controls="palette-list"
                aria-label={t("palette")}
                aria-activedescendant={found[chosen] ? `palette-${chosen}` : undefined}
                placeholder={t("palette.hint")}
                value={typed}
                onInput={(event) => {
                    setTyped(event.currentTarget.value);
                    setAt(0);
                }}
                onKeyDown={(event) => {
                    if (isComposing(event)) return;
                    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
                        event.preventDefault();
                        setAt((chosen + (event.key === "ArrowDown" ? 1 : found.length - 1)) % Math.max(1, found.length));
                    } else if (event.key === "Enter") {
                        event.preventDefault();
                        take_(found[chosen]);
                    }
                }}
            />
            <ul id="palette-list" class="palette-list" role="listbox" aria-label={t("palette")}>
                {found.map((entry, index) => (
                    <li
                        key={entry.key}
                        id={`palette-${index}`}
                        role="option"
                        aria-selected={index === chosen}
                        onMouseMove={() => setAt(index)}
                        onClick={() => take_(entry)}
                    >
                        <Icon name={entry.icon} />
                        {entry.text}
                    </li>
                ))}
            </ul>
            {found.length === 0 && <p class="faint">{t("palette.none")}</p>}
        </Dialog>
    );
}
export type { Entry };
