// An argument or a result: as a tree whose branches open, or as text.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { root } from "../base/api";
import { hexText, partOf } from "../base/msgpack";
import * as show from "../base/show";
import { t } from "../base/text";
import { indented, treeOf, type Branch, type Node } from "../base/tree";
import { Copy } from "../widgets/copy";
import { SaveBytes } from "../widgets/savebytes";
import { below, conditionOf, ValueButton } from "./values";

const step = 100; // how many children come at a time
const openDepth = 2;
const text_max = 100_000; // characters of a text that are drawn
const leaf_max = 2000;
const hex_max = 65_536; // bytes that are drawn

const isBranch = (node: Node): node is Branch => "children" in node;

function Leaf({ node }: { node: Exclude<Node, Branch> }): JSX.Element {
    const [whole, setWhole] = useState(false);
    const cut = !whole && node.text.length > leaf_max;
    const text = cut ? node.text.slice(0, leaf_max) : node.text;
    return (
        <span class={`leaf leaf-${node.kind}`}>
            {node.kind === "text" ? (
                `"${text}${cut ? "" : '"'}`
            ) : node.kind === "bytes" || node.kind === "extension" ? (
                <>
                    <em>{t(`type.${node.kind}`)}</em> {text}
                </>
            ) : (
                text
            )}
            {cut && (
                <button type="button" class="link" onClick={() => setWhole(true)}>
                    {t("tree.whole", { n: node.text.length })}
                </button>
            )}
        </span>
    );
}

function Twig(props: {
    name: string | undefined;
    node: Node;
    depth: number;
    list: boolean;
    path: string | undefined; // in an expression
}): JSX.Element {
    const { name, node, depth, list, path } = props;
    const [open, setOpen] = useState(depth < openDepth);
    const [most, setMost] = useState(step);
    const key = name !== undefined && <span class={list ? "tree-index" : "tree-key"}>{name}</span>;
    if (!isBranch(node))
        return (
            <li>
                {key}
                <Leaf node={node} />
                <ValueButton condition={conditionOf(path, node)} />
            </li>
        );
    const n = node.children.length;
    const kind = t(node.kind === "map" ? "type.map" : "type.list", { n });
    if (n === 0)
        return (
            <li>
                {key}
                <span class="faint">{node.kind === "map" ? "{}" : "[]"}</span>
            </li>
        );
    return (
        <li>
            <button type="button" class="twig" aria-expanded={open} onClick={() => setOpen(!open)}>
                {key}
                <span class="faint">{kind}</span>
            </button>
            {open && (
                <ul>
                    {node.children.slice(0, most).map((child, index) => (
                        <Twig
                            key={index}
                            name={child.key}
                            node={child.node}
                            depth={depth + 1}
                            list={node.kind === "list"}
                            path={node.odd ? undefined : below(path, child.key, node.kind === "list")}
                        />
                    ))}
                    {n > most && (
                        <li>
                            <button type="button" class="link" onClick={() => setMost(most + 10 * step)}>
                                {t("tree.more", { n: n - most })}
                            </button>
                        </li>
                    )}
                </ul>
            )}
        </li>
    );
}

// The bytes of a part of a job, as they were sent.
function Hex({ job, part }: { job: string; part: readonly string[] }): JSX.Element {
    const [found, setFound] = useState<Uint8Array | "none">();
    useEffect(() => {
        const gone = new AbortController();
        const read = async () => {
            const fields = { headers: { Accept: "application/vnd.msgpack" }, signal: gone.signal };
            const answer = await fetch(`${root}/v1/jobs/${encodeURIComponent(job)}`, fields);
            const bytes = answer.ok ? partOf(new Uint8Array(await answer.arrayBuffer()), ...part) : undefined;
            setFound(bytes ?? "none");
        };
        read().catch(() => !gone.signal.aborted && setFound("none"));
        return () => gone.abort();
    }, [job]);
    if (found === undefined) return <p class="faint">{t("loading")}</p>;
    if (found === "none") return <p class="faint">{t("payload.hex.none")}</p>;
    const left = found.length - hex_max;
    return (
        <pre class="json hex">
            {hexText(found.subarray(0, hex_max))}
            {left > 0 && `\n${t("payload.cut.bytes", { size: show.bytes(left) })}`}
        </pre>
    );
}

// `path`: how an expression reads it. `of`: where its bytes are.
export function Payload(props: {
    json: string;
    bytes?: number;
    masked?: boolean;
    path?: string;
    of?: { job: string; part: readonly string[] };
}): JSX.Element {
    const { json, bytes, masked, path, of } = props;
    const [as, setAs] = useState<"tree" | "text" | "hex">("tree");
    const ways = of && !masked ? (["tree", "text", "hex"] as const) : (["tree", "text"] as const);
    const tree = useMemo(() => treeOf(json), [json]);
    const text = useMemo(() => (as === "text" ? indented(json) : ""), [json, as]);
    return (
        <div class="payload">
            <div class="payload-bar">
                <div class="segments" role="group" aria-label={t("payload.as")}>
                    {ways.map((each) => (
                        <button key={each} type="button" aria-pressed={as === each} onClick={() => setAs(each)}>
                            {t(`payload.${each}`)}
                        </button>
                    ))}
                </div>
                {bytes !== undefined && <span class="faint">{show.bytes(bytes)}</span>}
                <Copy text={indented(json)} label={t("copy.json")} />
                {of && !masked && (
                    <SaveBytes path={`v1/jobs/${encodeURIComponent(of.job)}`} part={of.part} name={[of.part.at(-1), of.job].join("-")} />
                )}
            </div>
            {masked && <p class="faint">{t("payload.masked")}</p>}
            {as === "tree" ? (
                <ul class="tree">
                    <Twig name={undefined} node={tree} depth={0} list={false} path={path} />
                </ul>
            ) : as === "hex" && of ? (
                <Hex job={of.job} part={of.part} />
            ) : (
                <pre class="json">
                    {text.slice(0, text_max)}
                    {text.length > text_max && `\n${t("payload.cut", { n: text.length - text_max })}`}
                </pre>
            )}
        </div>
    );
}
