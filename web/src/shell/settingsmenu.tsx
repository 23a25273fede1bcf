import type { JSX } from "preact";
import type { Signal } from "@preact/signals";
import { density, languageChoice, theme, zone } from "../base/settings";
import { t } from "../base/text";
import { Dialog } from "../widgets/dialog";

function Choice<T extends string>({
    legend,
    setting,
    options,
}: {
    legend: string;
    setting: Signal<T>;
    options: [T, string][];
}): JSX.Element {
    return (
        <fieldset class="choice">
            <legend>{legend}</legend>
            <div class="segments">
                {options.map(([value, text]) => (
                    <label key={value}>
                        <input type="radio" name={legend} checked={setting.value === value} onChange={() => (setting.value = value)} />
                        <span>{text}</span>
                    </label>
                ))}
            </div>
        </fieldset>
    );
}

export function SettingsDialog({ close }: { close: () => void }): JSX.Element {
    return (
        <Dialog title={t("settings")} close={close}>
            <Choice
                legend={t("settings.language")}
                setting={languageChoice}
                options={[
                    ["system", t("settings.system")],
                    ["en", "English"],
                    ["ja", "日本語"],
                ]}
            />
            <Choice
                legend={t("settings.theme")}
                setting={theme}
                options={[
                    ["system", t("settings.system")],
                    ["light", t("settings.light")],
                    ["dark", t("settings.dark")],
                ]}
            />
            <Choice
                legend={t("settings.zone")}
                setting={zone}
                options={[
                    ["local", t("settings.local")],
                    ["utc", "UTC"],
                ]}
            />
            <Choice
                legend={t("settings.density")}
                setting={density}
                options={[
                    ["comfortable", t("settings.comfortable")],
                    ["compact", t("settings.compact")],
                ]}
            />
        </Dialog>
    );
}
