// Saves what the master sends as MessagePack: a link alone cannot ask for it.
import { root } from "./api";
import { partOf } from "./msgpack";

async function read(path: string, part: readonly string[]): Promise<Uint8Array | undefined> {
    const answer = await fetch(`${root}/${path}`, { headers: { Accept: "application/vnd.msgpack" } });
    if (!answer.ok) return undefined;
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return part.length > 0 ? partOf(bytes, ...part) : bytes;
}

// The part of an answer, as it was sent; false: there is none.
export async function saveMsgpack(path: string, part: readonly string[], name: string): Promise<boolean> {
    const bytes = await read(path, part).catch(() => undefined);
    if (!bytes) return false;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes.slice()], { type: "application/vnd.msgpack" }));
    link.download = `${name}.msgpack`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    return true;
}
