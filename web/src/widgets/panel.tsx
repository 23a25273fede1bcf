import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";

export function Panel({
    title,
    aside,
    class: className,
    children,
}: {
    title: string;
    aside?: ComponentChildren;
    class?: string;
    children: ComponentChildren;
}): JSX.Element {
    const id = useId();
    return (
        <section class={`panel ${className ?? ""}`} aria-labelledby={id}>
            <header>
                <h2 id={id}>{title}</h2>
                {aside}
            </header>
            {children}
        </section>
    );
}

export interface Bar {
    key: string;
    text: string;
    value: string;
    part: number; // of the longest
    alarm?: boolean;
    href?: string;
    tip?: string;
}

// Ranked lines: a text, a figure, and a bar below them.
export function Bars({ bars, label }: { bars: readonly Bar[]; label: string }): JSX.Element {
    return (
        <ul class="bars" aria-label={label}>
            {bars.map((bar) => {
                const inner = (
                    <>
                        <span class="bar-text">{bar.text}</span>
                        <span class="bar-value">{bar.value}</span>
                        <span class="bar-track" aria-hidden="true">
                            <i style={{ width: `${Math.max(1, Math.min(100, bar.part * 100))}%` }} />
                        </span>
                    </>
                );
                return (
                    <li key={bar.key} class={bar.alarm ? "alarm" : ""}>
                        {bar.href ? (
                            <a href={bar.href} title={bar.tip ?? bar.text}>
                                {inner}
                            </a>
                        ) : (
                            <div title={bar.tip ?? bar.text}>{inner}</div>
                        )}
                    </li>
                );
            })}
        </ul>
    );
}
