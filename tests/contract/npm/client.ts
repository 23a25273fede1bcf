// A client generated from openapi/master.yaml at work with a live master: node client.js http://127.0.0.1:PORT
// It compiles only if the document gives the types that the calls need, and refuses those marked with @ts-expect-error.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Schemas = components["schemas"];

const client = createClient<paths>({ baseUrl: process.argv[2] ?? "", headers: { Accept: "application/json" } });
const now = () => new Date().toISOString();

// What came, or the problem as an error.
function answered<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  if (answer.error !== undefined || answer.data === undefined)
    throw new Error(`${answer.response.url}: ${answer.response.status} ${JSON.stringify(answer.error)}`);
  return answer.data;
}

async function claimed(name: string): Promise<Schemas["ClaimedJob"]> {
  const { jobs } = answered(await client.POST("/v1/claims", { body: { worker: "node", names: [name], wait: 5 } }));
  const job = jobs[0];
  assert.ok(job, `no job with the name ${name} came`);
  return job;
}

const report = (id: string, body: Schemas["Report"]) =>
  client.POST("/v1/jobs/{id}/outcome", { params: { path: { id } }, body });

async function pushAndFinish(): Promise<void> {
  const key = { idempotency_key: "once" };
  const job = { name: "typed.add", argument: [1, 2], keep_result: true, ...key } satisfies Schemas["NewJob"];
  const pushed = answered(await client.POST("/v1/jobs", { body: job }));
  assert.ok("state" in pushed && pushed.state === "ready");
  const again = answered(await client.POST("/v1/jobs", { body: job }));
  assert.deepEqual([again.id, again.duplicate], [pushed.id, true]);
  const other = await client.POST("/v1/jobs", { body: { ...job, priority: 7 } });
  assert.equal(other.error?.code, "idempotency_mismatch");

  const work = await claimed("typed.add");
  assert.deepEqual(work.argument, [1, 2]);
  const ended = answered(await report(work.id, { lease: work.lease, type: "success", finished_at: now(), result: 3 }));
  assert.equal(ended.state, "succeeded");
  const lost = await report(work.id, { lease: "9.x", type: "success", finished_at: now(), result: 3 });
  assert.equal(lost.error?.code, "lease_lost");

  const collected = await client.GET("/v1/jobs/{id}/result", { params: { path: { id: pushed.id }, query: { receipt: "r" } } });
  assert.equal(collected.response.headers.get("Junban-Result"), "ready");
  const outcome = collected.data;
  assert.ok(outcome && "type" in outcome && outcome.type === "success");
  assert.equal(outcome.result, 3);
}

async function retryAFailure(): Promise<void> {
  const { id } = answered(await client.POST("/v1/jobs", { body: { name: "typed.fail" } }));
  const first = await claimed("typed.fail");
  const failure: Schemas["Report"] = {
    lease: first.lease, type: "failure", reason: "other", should_retry: false, finished_at: now(), message: "No route.",
  };
  assert.equal(answered(await report(id, failure)).state, "failed");
  const shown = answered(await client.GET("/v1/jobs/{id}", { params: { path: { id } } }));
  assert.ok(shown.outcome?.type === "failure");
  assert.equal(shown.outcome.message, "No route.");
  assert.equal(answered(await client.POST("/v1/jobs/{id}/retry", { params: { path: { id } }, body: {} })).state, "ready");
  const second = await claimed("typed.fail");
  assert.deepEqual([second.id, second.attempt], [id, 2]);
}

async function saveAndChangeAMatcher(): Promise<void> {
  const path = { matcher: "typed" };
  const rate: Schemas["RateConstraint"] = { kind: "rate", limit: 5, period: 60 };
  const matcher: Schemas["NewMatcher"] = { title: "A rate", expression: 'job.name == "typed.limited"', constraints: [rate] };
  const put = (body: Schemas["NewMatcher"], header: { "If-Match"?: string; "If-None-Match"?: "*" }) =>
    client.PUT("/v1/matchers/{matcher}", { params: { path, header }, body });

  const made = await put(matcher, { "If-None-Match": "*" });
  assert.equal(made.response.status, 201);
  const tag = made.response.headers.get("ETag") ?? "";
  assert.equal((await put(matcher, { "If-None-Match": "*" })).error?.code, "revision_mismatch");
  assert.equal((await put(matcher, {})).error?.code, "precondition_required");

  const shares: Schemas["ShareConstraint"] = { kind: "share", capacity: 4, by: ["job.argument.region"], shares: { eu: { percent: 50 } } };
  const changed = answered(await put({ ...answered(made), constraints: [{ ...rate, limit: 6 }, shares] }, { "If-Match": tag }));
  const limits = changed.constraints.map((constraint) => (constraint.kind === "rate" ? constraint.limit : constraint.kind));
  assert.deepEqual(limits, [6, "share"]);
  assert.equal((await put(matcher, { "If-Match": tag })).response.status, 412);
  const wrong = await client.POST("/v1/matchers/preview", { body: { expression: "job.nam" } });
  assert.equal(wrong.error?.code, "invalid_expression");
  assert.equal(wrong.error?.errors?.[0]?.line, 1);
  answered(await client.DELETE("/v1/matchers/{matcher}", { params: { path, header: { "If-Match": `"${changed.revision}"` } } }));
}

// What the document refuses does not compile; each of these lines must be an error.
export const refused = [
  // @ts-expect-error: a failure has a reason
  { lease: "1.x", type: "failure", should_retry: true, finished_at: "" } satisfies Schemas["Report"],
  // @ts-expect-error: a success has no message
  { lease: "1.x", type: "success", result: 1, finished_at: "", message: "" } satisfies Schemas["Report"],
  // @ts-expect-error: a rate has a period
  { kind: "rate", limit: 1 } satisfies Schemas["Constraint"],
  // @ts-expect-error: a pause has no limit
  { kind: "pause", reason: "", limit: 1 } satisfies Schemas["Constraint"],
  // @ts-expect-error: a job has a name
  { argument: 1 } satisfies Schemas["NewJob"],
  // @ts-expect-error: a schedule goes by cron or by an interval
  { title: "", job: { name: "n" } } satisfies Schemas["NewSchedule"],
  // @ts-expect-error: a matcher is deleted by its revision
  () => client.DELETE("/v1/matchers/{matcher}", { params: { path: { matcher: "m" } } }),
];

await pushAndFinish();
await retryAFailure();
await saveAndChangeAMatcher();
console.log("pushed, finished, retried, saved and changed");
