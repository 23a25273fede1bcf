// Where the rows of a long list are. A browser's element has a greatest height (Chromium: 33 million pixels, half of that at a pixel ratio
// of 2), and a million rows are higher. Beyond `room` the scrolled height stands for more rows than it has pixels: a small movement of the
// bar moves by pixels, a large one goes to the same share of the list.
export const room_px = 6_000_000;

export interface Frame {
    readonly rows: number;
    readonly row_px: number;
    readonly view_px: number;
}

export function height(frame: Frame): number {
    return Math.min(frame.rows * frame.row_px, room_px);
}

// How far the rows are moved against the scrolled area; 0 while all of them have room.
export interface Position {
    readonly scroll_px: number; // of the element
    readonly first_px: number; // of the rows: what is at the upper edge, in pixels from the first row
}

export const top: Position = { scroll_px: 0, first_px: 0 };

export function scrolled(frame: Frame, before: Position, scroll_px: number): Position {
    const whole = frame.rows * frame.row_px;
    const high = height(frame);
    if (whole <= high) return { scroll_px, first_px: scroll_px };
    const most = whole - frame.view_px;
    const reach = high - frame.view_px;
    const moved = scroll_px - before.scroll_px;
    // At the ends the share is exact, so both can be reached.
    const isNear = Math.abs(moved) < 2 * frame.view_px && scroll_px > frame.view_px && scroll_px < reach - frame.view_px;
    const first = isNear ? before.first_px + moved : (scroll_px / reach) * most;
    return { scroll_px, first_px: Math.min(Math.max(0, first), most) };
}

// Where the element is to be scrolled to so that this row is seen; nothing when it is.
export function reveal(frame: Frame, now: Position, row: number): Position | undefined {
    const upper = row * frame.row_px;
    const lower = upper + frame.row_px;
    if (upper >= now.first_px && lower <= now.first_px + frame.view_px) return undefined;
    const whole = frame.rows * frame.row_px;
    const first = Math.min(Math.max(0, upper < now.first_px ? upper : lower - frame.view_px), Math.max(0, whole - frame.view_px));
    const high = height(frame);
    const scroll = whole <= high ? first : (first / Math.max(1, whole - frame.view_px)) * (high - frame.view_px);
    return { scroll_px: Math.round(scroll), first_px: first };
}

// The rows to draw: those that are seen and a few on both sides.
export function drawn(frame: Frame, now: Position, more = 6): { from: number; to: number; offset_px: number } {
    const from = Math.max(0, Math.floor(now.first_px / frame.row_px) - more);
    const to = Math.min(frame.rows, Math.ceil((now.first_px + frame.view_px) / frame.row_px) + more);
    return { from, to, offset_px: now.scroll_px - now.first_px + from * frame.row_px };
}
