// BullMQ as its users run it: bullmq.mjs enqueue|cycle JOBS SOCKET; one line of JSON.
import { Queue, Worker } from 'bullmq';

const [scenario, count, path] = [process.argv[2], Number(process.argv[3]), process.argv[4]];
const connection = { path, maxRetriesPerRequest: null };
const queue = new Queue('bench', { connection });
const data = { text: 'x'.repeat(86) };
await queue.waitUntilReady();

let sent = 0;
async function pusher() {
  while (sent < count) {
    sent += 1;
    await queue.add('job', data, { removeOnComplete: true });
  }
}
const pushers = (n) => Promise.all(Array.from({ length: n }, pusher));

const start = performance.now();
if (scenario === 'enqueue') {
  await pushers(50);
} else {
  let done = 0;
  await new Promise((resolve) => {
    const worker = new Worker('bench', async () => null, { connection, concurrency: 16 });
    worker.on('completed', () => {
      done += 1;
      if (done === count) resolve();
    });
    pushers(16);
  });
}
console.log(JSON.stringify({ jobs_per_s: (count / (performance.now() - start)) * 1000 }));
process.exit(0);
