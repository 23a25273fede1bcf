// As much of MessagePack as it takes to find a part of an answer: the bytes of an argument, as the pusher sent them.
class Bytes {
    at = 0;
    readonly view: DataView;
    constructor(readonly all: Uint8Array) {
        this.view = new DataView(all.buffer, all.byteOffset, all.byteLength);
    }

    uint(size: number): number {
        const { at } = this;
        this.at += size;
        return size === 1 ? this.view.getUint8(at) : size === 2 ? this.view.getUint16(at) : this.view.getUint32(at);
    }

    // Past the head of a value: how many bytes follow, and how many values.
    head(): { bytes: number; values: number; kind: "map" | "list" | "text" | "other" } {
        const byte = this.uint(1);
        const is = (kind: "map" | "list" | "text" | "other", bytes: number, values = 0) => ({ bytes, values, kind });
        if (byte <= 0x7f || byte >= 0xe0) return is("other", 0);
        if (byte <= 0x8f) return is("map", 0, (byte & 15) * 2);
        if (byte <= 0x9f) return is("list", 0, byte & 15);
        if (byte <= 0xbf) return is("text", byte & 31);
        if (byte <= 0xc3) return is("other", 0);
        if (byte <= 0xc6) return is("other", this.uint(1 << (byte - 0xc4)));
        if (byte <= 0xc9) return is("other", this.uint(1 << (byte - 0xc7)) + 1);
        if (byte <= 0xcb) return is("other", byte === 0xca ? 4 : 8);
        if (byte <= 0xd3) return is("other", 1 << ((byte - 0xcc) & 3));
        if (byte <= 0xd8) return is("other", (1 << (byte - 0xd4)) + 1);
        if (byte <= 0xdb) return is("text", this.uint(1 << (byte - 0xd9)));
        if (byte <= 0xdd) return is("list", 0, this.uint(byte === 0xdc ? 2 : 4));
        return is("map", 0, this.uint(byte === 0xde ? 2 : 4) * 2);
    }

    pass(): void {
        for (let left = 1; left > 0; --left) {
            const { bytes, values } = this.head();
            this.at += bytes;
            left += values;
        }
        if (this.at > this.all.length) throw new RangeError("the answer is cut off");
    }

    slice(size: number): Uint8Array {
        this.at += size;
        return this.all.subarray(this.at - size, this.at);
    }
}

// The bytes of what stands under these keys; undefined: there is nothing.
export function partOf(answer: Uint8Array, ...path: readonly string[]): Uint8Array | undefined {
    const [key, ...rest] = path;
    if (key === undefined) return answer;
    const bytes = new Bytes(answer);
    const map = bytes.head();
    if (map.kind !== "map") return undefined;
    for (let each = 0; each < map.values / 2; ++each) {
        const name = bytes.head();
        const text = new TextDecoder().decode(bytes.slice(name.bytes));
        const from = bytes.at;
        bytes.pass();
        if (name.kind === "text" && text === key) return partOf(answer.subarray(from, bytes.at), ...rest);
    }
    return undefined;
}

// Sixteen bytes a line: where they are, the bytes, and what of them is ASCII.
export function hexText(bytes: Uint8Array): string {
    const lines: string[] = [];
    for (let at = 0; at < bytes.length; at += 16) {
        const some = [...bytes.subarray(at, at + 16)];
        const hex = some.map((each) => each.toString(16).padStart(2, "0")).join(" ");
        const signs = some.map((each) => (each >= 0x20 && each < 0x7f ? String.fromCharCode(each) : "."));
        lines.push(`${at.toString(16).padStart(6, "0")}  ${hex.padEnd(47)}  ${signs.join("")}`);
    }
    return lines.join("\n");
}
