import type { JSX } from "preact";

export function Brand(): JSX.Element {
    return (
        <span class="brand" aria-hidden="true">
            <svg viewBox="0 0 128 128" width="26" height="26">
                <rect x="4" y="4" width="120" height="120" rx="26" fill="#1f6fc4" />
                <rect x="24" y="30" width="48" height="16" rx="8" fill="#fff" />
                <rect x="24" y="56" width="80" height="16" rx="8" fill="#cfe3f7" />
                <rect x="24" y="82" width="62" height="16" rx="8" fill="#8fbce8" />
                <path d="M84 24 L106 38 L84 52 Z" fill="#ffc247" />
            </svg>
            <span>Junban</span>
        </span>
    );
}
