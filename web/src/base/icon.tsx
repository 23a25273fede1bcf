import { h, type JSX } from "preact";
import { icons, type IconName } from "../../made/icons";

export type { IconName };

export function Icon({ name, label, class: className }: { name: IconName; label?: string; class?: string }): JSX.Element {
    return (
        <svg
            class={`icon ${className ?? ""}`}
            viewBox="0 0 16 16"
            width="16"
            height="16"
            fill="none"
            stroke="currentColor"
            stroke-width="1.5"
            stroke-linecap="round"
            stroke-linejoin="round"
            role={label ? "img" : undefined}
            aria-label={label}
            aria-hidden={label ? undefined : "true"}
        >
            {icons[name].map(([tag, attributes]) => h(tag, { ...attributes, key: JSON.stringify(attributes) }))}
        </svg>
    );
}
