// A master with tokens answers nobody without one. The address stays as it is, so who has signed in is where the link leads.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { sentence } from "../base/failure";
import { session, signIn } from "../base/session";
import { language, languageChoice } from "../base/settings";
import { t } from "../base/text";
import { Brand } from "./brand";

const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);
const isOpenToOthers = location.protocol === "http:" && !isHere;
const usual = ["token_needed", "session_ended"];

// What a proxy has to do with it depends on whether TLS ends there.
function forgotten(): string {
    return [t("signin.forgotten"), t(location.protocol === "https:" ? "signin.forgotten.tls" : "signin.forgotten.plain")].join(" ");
}

function useSigning(): { busy: boolean; fault: string; submit: (token: string) => Promise<boolean> } {
    const [busy, setBusy] = useState(false);
    const [fault, setFault] = useState("");
    return {
        busy,
        fault,
        submit: async (token) => {
            if (busy) return true;
            if (token === "") {
                setFault(t("signin.empty"));
                return false;
            }
            setBusy(true);
            setFault("");
            const failed = await signIn(token);
            setBusy(false);
            if (failed !== undefined) setFault(failed === "forgotten" ? forgotten() : sentence(failed));
            return failed === undefined;
        },
    };
}

function Field({ fault, busy, submit }: ReturnType<typeof useSigning>): JSX.Element {
    const field = useRef<HTMLInputElement>(null);
    const [seen, setSeen] = useState(false);
    useEffect(() => field.current?.focus(), []);
    useEffect(() => {
        if (field.current) field.current.type = seen ? "text" : "password";
    }, [seen]);
    return (
        <form
            onSubmit={(event) => {
                event.preventDefault();
                void submit(field.current?.value.trim() ?? "").then((isIn) => {
                    if (!isIn) field.current?.select();
                });
            }}
        >
            <label for="token">{t("signin.token")}</label>
            <input
                id="token"
                ref={field}
                type="password"
                autocomplete="current-password"
                autocapitalize="off"
                spellcheck={false}
                placeholder="jt_…"
                aria-invalid={fault !== ""}
                aria-describedby="signin-fault"
            />
            <label class="check">
                <input type="checkbox" checked={seen} onChange={(event) => setSeen(event.currentTarget.checked)} />
                {t("signin.show")}
            </label>
            <p id="signin-fault" class="red" role="alert">
                {fault}
            </p>
            <button type="submit" class="primary" aria-busy={busy}>
                {t("signin.do")}
            </button>
        </form>
    );
}

export function SignIn(): JSX.Element {
    const { ended, why } = session.value;
    useEffect(() => {
        document.title = `${t("signin")} – Junban`;
    }, [language.value]);
    return (
        <main class="signin" id="main">
            <div class="card">
                <Brand />
                <h1>{t("signin")}</h1>
                <p>{why && !usual.includes(why.reason ?? "") ? why.detail : t(ended ? "signin.ended" : "signin.why")}</p>
                {isOpenToOthers && <p class="amber">{t("signin.open")}</p>}
                <Field {...useSigning()} />
                <p class="faint">
                    {t("signin.how")} <code>junbanctl tokens create --role operator</code>
                </p>
                <p class="links">
                    <button type="button" class="link" onClick={() => (languageChoice.value = language.value === "ja" ? "en" : "ja")}>
                        {language.value === "ja" ? "English" : "日本語"}
                    </button>
                    <a href="manual">{t("keys.manual")}</a>
                </p>
            </div>
        </main>
    );
}
