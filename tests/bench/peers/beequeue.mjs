// bee-queue as its users run it; see scenarios.mjs.
import BeeQueue from 'bee-queue';
import { measure } from './scenarios.mjs';

const isWorker = process.argv[2].startsWith('cycle') || process.argv[2] === 'latency';
const queue = new BeeQueue('bench', { redis: { path: process.argv[4] }, removeOnSuccess: true, isWorker, getEvents: false, sendEvents: false });
await queue.ready();

await measure({
  push: (data, count) =>
    count === 1 ? queue.createJob(data).save() : queue.saveAll(Array.from({ length: count }, () => queue.createJob(data))),
  work(concurrency, onStart, onDone) {
    queue.on('succeeded', onDone);
    queue.process(concurrency, async (job) => onStart(job.data));
  },
});
