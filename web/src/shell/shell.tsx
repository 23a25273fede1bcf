import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { go, parameter, place, write } from "../base/address";
import { environment, tone } from "../base/environment";
import { seesAll } from "../base/live";
import { mayOperate, session } from "../base/session";
import { isDark, language, languageChoice, theme } from "../base/settings";
import { Icon } from "../base/icon";
import * as show from "../base/show";
import { t } from "../base/text";
import { Asked } from "../widgets/ask";
import { takeBackLast, Toasts } from "../widgets/toast";
import { ValueDialog } from "../inspector/values";
import { clearSelection } from "../jobs/selection";
import { OverviewScreen } from "../overview/screen";
import { AccountDialog, personName } from "./account";
import { KeysDialog, isTyping } from "./keys";
import { now } from "./overviewsource";
import { Palette, type Entry } from "./palette";
import { screens } from "./screens";
import { SettingsDialog } from "./settingsmenu";
import { StaleBanner, StatusLine } from "./status";
import { Strip } from "./strip";
import { Brand } from "./brand";
import { freshMatcher } from "../constraints/fresh";
import { asked } from "../operations/asked";
import { late, type Late } from "../widgets/late";
import { useSeen } from "../widgets/seen";
import { BulkDialog, MatcherEditor, NewJobDialog, PauseDialog, rest, ScheduleEditor, WhyDialog } from "./dialogs";

function badge(screen: string): string {
    return screen === "failures" && now.value ? show.short(now.value.states["failed"] ?? 0) : "";
}

function SideList({ settings, keys, account }: { settings: () => void; keys: () => void; account: () => void }): JSX.Element {
    const current = place.value.screen;
    return (
        <nav class="side" aria-label={t("screens")} ref={useSeen(current)}>
            <a class="home" href={write({ screen: "overview" })} tabIndex={-1} aria-hidden="true">
                <Brand />
            </a>
            {environment.value && <p class={`environment ${tone.value}`}>{environment.value}</p>}
            <ul>
                {screens().map((each, index) => (
                    <li key={each.screen}>
                        <a
                            href={write({ screen: each.screen })}
                            aria-current={current === each.screen ? "page" : undefined}
                            title={index < 9 ? `${t(each.title)} (Alt+${index + 1})` : t(each.title)}
                        >
                            <Icon name={each.icon} />
                            <span>{t(each.title)}</span>
                            {badge(each.screen) && <b>{badge(each.screen)}</b>}
                        </a>
                    </li>
                ))}
            </ul>
            <div class="side-end">
                <a href="docs" title={t("docs")}>
                    <Icon name="more" />
                    <span>{t("docs")}</span>
                </a>
                <button type="button" onClick={keys} title={`${t("keys")} (?)`}>
                    <Icon name="star" />
                    <span>{t("keys")}</span>
                </button>
                {session.value.cookie && (
                    <button type="button" class="account" onClick={account} title={t("account", { name: personName() })}>
                        <Icon name="person" />
                        <span>{personName()}</span>
                    </button>
                )}
                <button type="button" onClick={settings} title={t("settings")}>
                    <Icon name="constraints" />
                    <span>{t("settings")}</span>
                </button>
            </div>
        </nav>
    );
}

const InspectorDrawer = late(() => rest().then((part) => part.InspectorDrawer));
const shown: Record<string, Late<object>> = {
    jobs: late(() => rest().then((part) => part.JobsScreen)),
    failures: late(() => rest().then((part) => part.FailuresScreen)),
    results: late(() => rest().then((part) => part.ResultsScreen)),
    schedules: late(() => rest().then((part) => part.SchedulesScreen)),
    constraints: late(() => rest().then((part) => part.ConstraintsScreen)),
    workers: late(() => rest().then((part) => part.WorkersScreen)),
    operations: late(() => rest().then((part) => part.OperationsScreen)),
    retention: late(() => rest().then((part) => part.RetentionScreen)),
    tokens: late(() => rest().then((part) => part.TokensScreen)),
    audit: late(() => rest().then((part) => part.AuditScreen)),
};

// Asks for the parts of the page that is opened, while its texts and its session are still awaited.
export function prepare(): void {
    shown[place.value.screen]?.load();
    if (parameter("job")) InspectorDrawer.load();
}

function Screen(): JSX.Element {
    const all = screens();
    const found = all.find((each) => each.screen === place.value.screen) ?? all[0];
    const Shown = shown[found?.screen ?? ""] ?? OverviewScreen;
    return <Shown />;
}

// What is begun from every screen.
const changes = [
    { key: "job", icon: "jobs", title: "form.new" },
    { key: "schedule", icon: "schedules", title: "schedules.new" },
    { key: "matcher", icon: "constraints", title: "matcher.new" },
    { key: "pause", icon: "pause", title: "pause.title" },
] as const;

const to = (screen: string) => () => go(write({ screen }));

function useKeys(open: { palette: () => void; keys: () => void }): void {
    useEffect(() => {
        const pressed = (event: KeyboardEvent) => {
            if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
                event.preventDefault();
                open.palette();
            } else if (event.ctrlKey && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "z" && !isTyping(event)) {
                if (takeBackLast()) event.preventDefault();
            } else if (event.altKey && !event.ctrlKey && /^Digit[1-9]$/.test(event.code)) {
                const to = screens()[Number(event.code.slice(5)) - 1];
                if (to) {
                    event.preventDefault();
                    go(write({ screen: to.screen }));
                }
            } else if (
                event.key === "?" &&
                !isTyping(event) &&
                !event.ctrlKey &&
                !event.altKey &&
                !document.querySelector("dialog[open]")
            ) {
                event.preventDefault();
                open.keys();
            }
        };
        addEventListener("keydown", pressed);
        return () => removeEventListener("keydown", pressed);
    }, []);
}

export function Shell(): JSX.Element {
    const opened = useSignal<"" | "palette" | "keys" | "settings" | "account" | "job" | "schedule" | "matcher" | "pause" | "why">("");
    const close = () => (opened.value = "");
    useKeys({ palette: () => (opened.value = "palette"), keys: () => (opened.value = "keys") });
    const commands = useMemo<Entry[]>(
        () => [
            ...changes.filter((each) => mayOperate.value && (seesAll.value || each.key === "job")).map(({ key, icon, title }) => ({
                key,
                icon,
                text: `${t(title)}…`,
                act: () => (opened.value = key),
            })),
            ...(mayOperate.value
                ? [{ key: "why reason", icon: "pencil" as const, text: `${t("why.title")}…`, act: () => (opened.value = "why") }]
                : []),
            { key: "theme", icon: "circle", text: t("command.theme"), act: () => (theme.value = isDark.value ? "light" : "dark") },
            {
                key: "language",
                icon: "circle",
                text: language.value === "ja" ? "English" : "日本語",
                act: () => (languageChoice.value = language.value === "ja" ? "en" : "ja"),
            },
            { key: "settings", icon: "constraints", text: t("settings"), act: () => (opened.value = "settings") },
            { key: "keys", icon: "star", text: t("keys"), act: () => (opened.value = "keys") },
            ...(session.value.cookie
                ? [{ key: "account", icon: "person" as const, text: t("account.out"), act: () => (opened.value = "account") }]
                : []),
            { key: "docs", icon: "more", text: t("docs"), act: () => location.assign("docs") },
            { key: "manual", icon: "more", text: t("keys.manual"), act: () => location.assign("manual") },
        ],
        [language.value, isDark.value, session.value.cookie, mayOperate.value, seesAll.value],
    );
    const entry = screens().find((each) => each.screen === place.value.screen);
    useEffect(() => {
        document.title = [environment.value, entry ? t(entry.title) : "", "Junban"].filter(Boolean).join(" – ");
    }, [entry, language.value, environment.value]);
    const { screen, id } = place.value;
    // A token for some jobs only has few screens.
    const isShown = entry !== undefined || session.value.phase !== "in" || seesAll.value;
    useEffect(() => {
        if (!isShown) go(write({ screen: "jobs", parameters: { job: parameter("job") } }), "replace");
    }, [isShown]);
    const isFirst = useRef(true);
    useEffect(() => {
        // The focus is never lost: what had it may be gone with the last screen.
        if (!isFirst.current && document.activeElement === document.body) document.getElementById("main")?.focus();
        isFirst.current = false;
    }, [screen, id]);
    const job = parameter("job");
    return (
        <div class={`shell ${job ? "inspecting" : ""}`}>
            <a
                class="skip"
                href="#main"
                onClick={(event) => {
                    event.preventDefault();
                    document.getElementById("main")?.focus();
                }}
            >
                {t("skip")}
            </a>
            <SideList
                settings={() => (opened.value = "settings")}
                keys={() => (opened.value = "keys")}
                account={() => (opened.value = "account")}
            />
            <div class="middle">
                <header>
                    <StaleBanner />
                    <Strip />
                </header>
                <main id="main" tabIndex={-1}>
                    <Screen />
                </main>
            </div>
            {job && <InspectorDrawer id={job} />}
            <StatusLine />
            <Toasts />
            <Asked />
            <ValueDialog />
            {opened.value === "palette" && <Palette close={close} commands={commands} />}
            {opened.value === "keys" && <KeysDialog close={close} />}
            {asked.value && <BulkDialog bulk={asked.value} done={clearSelection} />}
            {opened.value === "account" && <AccountDialog close={close} />}
            {opened.value === "settings" && <SettingsDialog close={close} />}
            {opened.value === "job" && <NewJobDialog close={close} />}
            {opened.value === "schedule" && (
                <ScheduleEditor opened={{ schedule: undefined, etag: "" }} close={close} saved={to("schedules")} />
            )}
            {opened.value === "matcher" && <MatcherEditor opened={freshMatcher} close={close} saved={to("constraints")} />}
            {opened.value === "why" && <WhyDialog close={close} />}
            {opened.value === "pause" && <PauseDialog match="" close={close} />}
        </div>
    );
}
