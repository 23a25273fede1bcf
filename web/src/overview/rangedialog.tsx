// A range of the chart with a beginning and an end of its own.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { changed, go, parameter } from "../base/address";
import { serverNow } from "../base/clock";
import { t } from "../base/text";
import { TimeInput } from "../constraints/inputs";
import { Dialog, DialogEnd } from "../widgets/dialog";
import { past } from "./range";

const least_s = 60;
const most_s = 8 * 86_400;
const day_ms = 86_400_000;

export function RangeDialog({ close }: { close: () => void }): JSX.Element {
    const shown = past(parameter("range"), parameter("until"));
    const text = (at_ms: number) => new Date(Math.floor(at_ms / 60_000) * 60_000).toISOString();
    const [from, setFrom] = useState<string | undefined>(text(shown?.from_ms ?? serverNow() - day_ms));
    const [to, setTo] = useState<string | undefined>(text(shown?.to_ms ?? serverNow()));
    const span_s = Math.round((Date.parse(to ?? "") - Date.parse(from ?? "")) / 1000);
    const fault = Number.isNaN(span_s)
        ? t("chart.range.both")
        : span_s < least_s
          ? t("chart.range.order")
          : span_s > most_s || Date.parse(from ?? "") < serverNow() - most_s * 1000
            ? t("chart.range.long")
            : "";
    return (
        <Dialog title={t("chart.range")} close={close}>
            <form
                class="form"
                onSubmit={(event) => {
                    event.preventDefault();
                    if (fault || !to) return;
                    close();
                    go(changed({ range: String(span_s), until: to }));
                }}
            >
                <div class="several">
                    <TimeInput label={t("chart.from")} value={from} set={(value) => setFrom(value as string | undefined)} />
                    <TimeInput label={t("chart.to")} value={to} set={(value) => setTo(value as string | undefined)} />
                </div>
                {fault && (
                    <p class="red" role="alert">
                        {fault}
                    </p>
                )}
                <DialogEnd leave={close} go={t("chart.show")} disabled={fault !== ""} />
            </form>
        </Dialog>
    );
}
