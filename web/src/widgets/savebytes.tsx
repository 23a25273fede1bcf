import type { JSX } from "preact";
import { saveMsgpack } from "../base/save";
import { t } from "../base/text";
import { say } from "./toast";

export function SaveBytes({ path, part, name }: { path: string; part: readonly string[]; name: string }): JSX.Element {
    const save = async () => {
        if (!(await saveMsgpack(path, part, name))) say(t("save.msgpack.none"), { failed: true });
    };
    return (
        <button type="button" class="wide-only" title={t("save.msgpack")} onClick={() => void save()}>
            MessagePack
        </button>
    );
}
