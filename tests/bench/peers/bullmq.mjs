// BullMQ as its users run it; see scenarios.mjs.
import { Queue, Worker } from 'bullmq';
import { measure } from './scenarios.mjs';

const connection = { path: process.argv[4], maxRetriesPerRequest: null };
const queue = new Queue('bench', { connection });
await queue.waitUntilReady();
const opts = { removeOnComplete: true };

await measure({
  push: (data, count) => (count === 1 ? queue.add('job', data, opts) : queue.addBulk(Array(count).fill({ name: 'job', data, opts }))),
  work(concurrency, onStart, onDone) {
    const worker = new Worker('bench', async (job) => onStart(job.data), { connection, concurrency });
    worker.on('completed', onDone);
  },
});
