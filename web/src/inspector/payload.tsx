// An argument or a result: as a tree whose branches open, or as text.
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import * as show from "../base/show";
import { t } from "../base/text";
import { indented, treeOf, type Branch, type Node } from "../base/tree";
import { Copy } from "../widgets/copy";

const step = 100; // how many children come at a time
const openDepth = 2;
const text_max = 100_000; // characters of a text that are drawn
const leaf_max = 2000;

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

function Twig({ name, node, depth, list }: { name: string | undefined; node: Node; depth: number; list: boolean }): JSX.Element {
    const [open, setOpen] = useState(depth < openDepth);
    const [most, setMost] = useState(step);
    const key = name !== undefined && <span class={list ? "tree-index" : "tree-key"}>{name}</span>;
    if (!isBranch(node))
        return (
            <li>
                {key}
                <Leaf node={node} />
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
                        <Twig key={index} name={child.key} node={child.node} depth={depth + 1} list={node.kind === "list"} />
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

export function Payload({ json, bytes, masked }: { json: string; bytes?: number; masked?: boolean }): JSX.Element {
    const [as, setAs] = useState<"tree" | "text">("tree");
    const tree = useMemo(() => treeOf(json), [json]);
    const text = useMemo(() => (as === "text" ? indented(json) : ""), [json, as]);
    return (
        <div class="payload">
            <div class="payload-bar">
                <div class="segments" role="group" aria-label={t("payload.as")}>
                    {(["tree", "text"] as const).map((each) => (
                        <button key={each} type="button" aria-pressed={as === each} onClick={() => setAs(each)}>
                            {t(`payload.${each}`)}
                        </button>
                    ))}
                </div>
                {bytes !== undefined && <span class="faint">{show.bytes(bytes)}</span>}
                <Copy text={indented(json)} label={t("copy.json")} />
            </div>
            {masked && <p class="faint">{t("payload.masked")}</p>}
            {as === "tree" ? (
                <ul class="tree">
                    <Twig name={undefined} node={tree} depth={0} list={false} />
                </ul>
            ) : (
                <pre class="json">
                    {text.slice(0, text_max)}
                    {text.length > text_max && `\n${t("payload.cut", { n: text.length - text_max })}`}
                </pre>
            )}
        </div>
    );
}
