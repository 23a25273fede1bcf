// What is typed into a field whose value is applied by Enter and then stands in the address.
import { useRef, useState } from "preact/hooks";

export interface Kept {
    typed: string;
    type: (text: string) => void;
    sent: (text: string) => void; // this field applies a text by itself
}

// A value that comes from elsewhere, as by Back, replaces what is typed, in the same step. What this field has applied replaces nothing,
// however late it comes: more may have been typed since.
export function useKept(applied: string): Kept {
    const [now, setNow] = useState({ typed: applied, applied });
    const own = useRef<string | undefined>(undefined);
    const type = (typed: string) => setNow((was) => ({ ...was, typed }));
    const sent = (text: string) => (own.current = text);
    if (now.applied === applied) return { typed: now.typed, type, sent };
    const typed = own.current === applied ? now.typed : applied;
    own.current = undefined;
    setNow({ typed, applied });
    return { typed, type, sent };
}
