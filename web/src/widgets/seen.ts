// A row of links that scrolls sideways where there is little room: the one of now is brought into sight.
import { useEffect, useRef } from "preact/hooks";

export function useSeen(current: string) {
    const element = useRef<HTMLElement>(null);
    useEffect(() => element.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }), [current]);
    return element;
}
