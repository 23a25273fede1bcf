// The filter line of a screen that is one list.
import type { JSX } from "preact";
import { changed, go, parameter } from "../base/address";
import type { Source } from "../base/data";
import { t } from "../base/text";
import { SavedFilters } from "../saved/menu";
import { Empty } from "../widgets/states";
import { FilterLine } from "./filterline";

export function ListFilter({ source, screen }: { source: Source<unknown>; screen: "failures" | "results" }): JSX.Element {
    const { error } = source.data.value;
    return (
        <div class="jobs-line">
            <FilterLine
                applied={parameter("filter")}
                error={error?.status === 422 ? error : undefined}
                apply={(text) => go(changed({ filter: text || undefined }))}
            />
            <SavedFilters screen={screen} text={parameter("filter")} />
        </div>
    );
}

export function NoMatch(): JSX.Element {
    return (
        <Empty icon="search" title={t("filter.nothing")}>
            <p>
                <a class="button" href={changed({ filter: undefined })}>
                    {t("filter.clear")}
                </a>
            </p>
        </Empty>
    );
}
