// Lints an OpenAPI document as `@redocly/cli lint` does, with the same engine and rules: node lint.mjs document redocly.yaml
// Prints what it finds, and exits 1 when there is anything. The command line program itself would bring 190 more packages.
import { formatProblems, getTotals, lint, loadConfig } from "@redocly/openapi-core";

const [, , document, configPath] = process.argv;
const problems = await lint({ ref: document, config: await loadConfig({ configPath }) });
const totals = getTotals(problems);
formatProblems(problems, { format: "codeframe", totals, version: "" });
console.log(`${totals.errors} errors, ${totals.warnings} warnings, ${totals.ignored} ignored`);
process.exitCode = problems.length === 0 ? 0 : 1;
