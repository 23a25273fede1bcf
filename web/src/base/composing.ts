// Whether a key belongs to an input method, as the Enter that takes what it offers. Safari says so by the code of the key alone: there the
// composition has ended already.
export function isComposing(event: KeyboardEvent): boolean {
    return event.isComposing || event.keyCode === 229;
}
