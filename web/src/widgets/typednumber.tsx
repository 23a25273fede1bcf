// What cannot be taken back is done when its number of jobs has been typed.
import type { JSX } from "preact";
import * as show from "../base/show";
import { t } from "../base/text";
import { parseNumber } from "../base/typed";

// An action on so many jobs is a wide one.
export const wide_min = 101;

export function isTyped(text: string, n: number): boolean {
    return parseNumber(text) === n;
}

export function TypedNumber({ n, value, set }: { n: number; value: string; set: (text: string) => void }): JSX.Element {
    return (
        <label>
            {t("typed.number", { n })}
            <input
                type="text"
                inputmode="numeric"
                autocomplete="off"
                value={value}
                placeholder={show.count(n)}
                onInput={(event) => set(event.currentTarget.value)}
            />
        </label>
    );
}
