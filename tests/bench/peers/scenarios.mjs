// The scenarios of tests/bench/load.cpp for a queue that is a Node library: PEER.mjs SCENARIO JOBS SOCKET; one line of JSON.
// `push(argument, count)` enqueues; `work(concurrency, onStart, onDone)` begins to work, all in this process, as its users run it.
export async function measure({ push, work }) {
  const [scenario, count] = [process.argv[2], Number(process.argv[3])];
  const argument = { text: 'x'.repeat(86) };
  let sent = 0;
  async function pusher(batch) {
    while (sent < count) {
      sent += batch;
      await push(argument, batch);
    }
  }
  const pushers = (connections, batch) => Promise.all(Array.from({ length: connections }, () => pusher(batch)));
  const start = performance.now();
  const figures = {};

  async function cycle(batch, connections, concurrency) {
    let done = 0;
    await new Promise((resolve) => {
      work(concurrency, () => {}, () => {
        done += 1;
        if (done === count) resolve();
      });
      pushers(connections, batch);
    });
  }

  // A job every 5 ms, whatever the answers do; the time from its sending until a worker has it.
  async function latency() {
    const took = [];
    let done = 0;
    await new Promise((resolve) => {
      work(4, (data) => took.push(performance.now() - data.sent), () => {
        done += 1;
        if (done === count) resolve();
      });
      const from = performance.now() + 500;
      const tick = () => {
        for (; sent < count && performance.now() >= from + sent * 5; sent += 1) push({ sent: performance.now() }, 1);
        if (sent < count) setTimeout(tick, 1);
      };
      setTimeout(tick, 500);
    });
    took.sort((a, b) => a - b);
    figures.p50_ms = took[Math.floor(took.length * 0.5)];
    figures.p99_ms = took[Math.floor(took.length * 0.99)];
  }

  if (scenario === 'enqueue') await pushers(50, 1);
  else if (scenario === 'enqueue-batch') await pushers(4, 1000);
  else if (scenario === 'cycle') await cycle(1, 16, 16);
  else if (scenario === 'cycle-128') await cycle(1, 64, 64);
  else if (scenario === 'cycle-batch') await cycle(100, 4, 50);
  else await latency();
  figures.jobs_per_s = (count / (performance.now() - start)) * 1000;
  console.log(JSON.stringify(figures));
  process.exit(0);
}
