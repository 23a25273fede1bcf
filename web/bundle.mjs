// Bundles the web console: bundle.mjs FOLDER. Reads src/ and made/ there, and writes out/ with files that have a hash in their names, and
// out/files.json with the parts that the first screen needs.
import { build } from "esbuild";
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const folder = process.argv[2];
const out = join(folder, "out");
const made = await build({
    absWorkingDir: folder,
    entryPoints: { console: "src/main.ts", frame: "src/style/frame.css", style: "src/style/main.css" },
    outdir: out,
    bundle: true,
    splitting: true,
    format: "esm",
    target: ["es2022", "chrome111", "firefox115", "safari16.4"],
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    legalComments: "none",
    charset: "utf8",
    entryNames: "[name]-[hash]",
    chunkNames: "part-[hash]",
    assetNames: "[name]-[hash]",
    metafile: true,
    logLevel: "warning",
});

const name = (path) => relative(out, join(folder, path));
const entry = (source) => Object.keys(made.metafile.outputs).find((path) => made.metafile.outputs[path].entryPoint === source);
const script = entry("src/main.ts");
// What the script loads in any case, which the page can ask for at once.
const needed = new Set();
const follow = (path) => {
    for (const each of made.metafile.outputs[path].imports) {
        if (each.kind === "import-statement" && !needed.has(each.path)) {
            needed.add(each.path);
            follow(each.path);
        }
    }
};
follow(script);
for (const source of ["src/open.ts", "src/console.tsx"]) {
    needed.add(entry(source));
    follow(entry(source));
}
needed.delete(script);
writeFileSync(
    join(out, "files.json"),
    JSON.stringify({
        script: name(script),
        frame: name(entry("src/style/frame.css")),
        style: name(entry("src/style/main.css")),
        needed: [...needed].map(name),
    }),
);
