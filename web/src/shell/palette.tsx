// Ctrl+K: screens, commands, names, and jobs by their id.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { go, write } from "../base/address";
import { api, take } from "../base/api";
import { Icon, type IconName } from "../base/icon";
import { t } from "../base/text";
import { Dialog } from "../widgets/dialog";
import { screens } from "./screens";

interface Entry {
    key: string;
    icon: IconName;
    text: string;
    act: () => void;
}

const id = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const most = 12;

function useNames(): readonly string[] {
    const [names, setNames] = useState<readonly string[]>([]);
    useEffect(() => {
        take(api.GET("/v1/names", { params: { query: { limit: 500 } } })).then(
            (page) => setNames(page.names.map((each) => each.name)),
            () => undefined,
        );
    }, []);
    return names;
}

export function Palette({ close, commands }: { close: () => void; commands: Entry[] }): JSX.Element {
    const [typed, setTyped] = useState("");
    const [at, setAt] = useState(0);
    const names = useNames();
    const found = useMemo(() => {
        const wanted = typed.trim().toLowerCase();
        const open = (to: string) => () => go(to);
        const all: Entry[] = [
            ...(id.test(typed.trim())
                ? [
                      {
                          key: "id",
                          icon: "search" as const,
                          text: t("palette.job", { id: typed.trim() }),
                          act: open(write({ screen: "jobs", parameters: { job: typed.trim().toLowerCase() } })),
                      },
                  ]
                : []),
            ...screens().map((each) => ({
                key: each.screen,
                icon: each.icon,
                text: t(each.title),
                act: open(write({ screen: each.screen })),
            })),
            ...commands,
            ...names.map((name) => ({
                key: `name ${name}`,
                icon: "jobs" as const,
                text: t("palette.name", { name }),
                act: open(write({ screen: "jobs", parameters: { name } })),
            })),
        ];
        return all
            .filter((each) => each.key === "id" || each.text.toLowerCase().includes(wanted) || each.key.includes(wanted))
            .slice(0, most);
    }, [typed, names, commands]);
    const chosen = Math.min(at, found.length - 1);
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
                    if (event.isComposing) return;
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
