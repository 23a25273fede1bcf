// bee-queue as its users run it: beequeue.mjs enqueue|cycle JOBS SOCKET; one line of JSON.
import BeeQueue from 'bee-queue';

const [scenario, count, path] = [process.argv[2], Number(process.argv[3]), process.argv[4]];
const options = { redis: { path }, removeOnSuccess: true, isWorker: scenario === 'cycle', getEvents: false, sendEvents: false };
const queue = new BeeQueue('bench', options);
const data = { text: 'x'.repeat(86) };
await queue.ready();

let sent = 0;
async function pusher() {
  while (sent < count) {
    sent += 1;
    await queue.createJob(data).save();
  }
}
const pushers = (n) => Promise.all(Array.from({ length: n }, pusher));

const start = performance.now();
if (scenario === 'enqueue') {
  await pushers(50);
} else {
  let done = 0;
  await new Promise((resolve) => {
    queue.on('succeeded', () => {
      done += 1;
      if (done === count) resolve();
    });
    queue.process(16, async () => null);
    pushers(16);
  });
}
console.log(JSON.stringify({ jobs_per_s: (count / (performance.now() - start)) * 1000 }));
process.exit(0);
