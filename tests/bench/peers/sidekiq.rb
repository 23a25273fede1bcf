# Sidekiq as its users run it: sidekiq.rb SCENARIO JOBS SOCKET; one line of JSON. The workers are a process of their own, which loads this
# file, too. Sidekiq has no claims in batches, so its workers are the same in both full cycles.
require 'json'
require 'sidekiq'

SCENARIO, COUNT, SOCKET = (ENV['PEER_ARGUMENTS'] || ARGV.join(' ')).split(' ')
# Pushers, jobs of a push, and workers.
PUSHERS, BATCH, THREADS = {
  'enqueue' => [50, 1, 50], 'enqueue-batch' => [4, 1000, 16], 'cycle' => [16, 1, 16], 'cycle-128' => [64, 1, 64], 'cycle-batch' => [4, 100, 16]
}.fetch(SCENARIO, [1, 1, 16])
Sidekiq.configure_client { |config| config.redis = { path: SOCKET, size: THREADS } }
Sidekiq.configure_server do |config|
  config.redis = { path: SOCKET }
  config.logger.level = Logger::WARN # two lines for each job would fill the pipe that says `done`
end

def now_s
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

class BenchJob
  include Sidekiq::Worker

  LOCK = Mutex.new
  TOOK = []

  def perform(argument)
    took = argument.is_a?(Float) ? now_s - argument : 0
    LOCK.synchronize do
      TOOK << took
      if TOOK.size == COUNT.to_i
        TOOK.sort!
        $stdout.puts "done #{TOOK[TOOK.size / 2] * 1000} #{TOOK[TOOK.size * 99 / 100] * 1000}"
        $stdout.flush
      end
    end
  end
end

def push(count)
  text = 'x' * 98
  if count == 1
    BenchJob.perform_async(text)
  else
    Sidekiq::Client.push_bulk('class' => BenchJob, 'args' => Array.new(count) { [text] })
  end
end

def push_all
  left = COUNT.to_i
  lock = Mutex.new
  Array.new(PUSHERS) do
    Thread.new do
      push(BATCH) while lock.synchronize { (left -= BATCH) >= 0 }
    end
  end.each(&:join)
end

def with_workers
  environment = { 'PEER_ARGUMENTS' => [SCENARIO, COUNT, SOCKET].join(' ') }
  workers = IO.popen([environment, 'sidekiq', '-r', File.expand_path(__FILE__), '-c', THREADS.to_s, err: File::NULL])
  sleep 0.05 until Sidekiq.redis { |redis| redis.scard('processes') } == 1
  yield
  done = workers.each_line.find { |line| line.start_with?('done') }
  Process.kill('TERM', workers.pid)
  done.split.drop(1).map(&:to_f)
end

if ENV['PEER_ARGUMENTS'].nil?
  figures = {}
  start_s = now_s
  case SCENARIO
  when 'enqueue', 'enqueue-batch' then push_all
  when 'cycle', 'cycle-128', 'cycle-batch'
    with_workers do
      start_s = now_s
      push_all
    end
  else
    figures[:p50_ms], figures[:p99_ms] = with_workers do
      from_s = now_s
      COUNT.to_i.times do |index|
        pause_s = from_s + index * 0.005 - now_s
        sleep pause_s if pause_s.positive?
        BenchJob.perform_async(now_s)
      end
    end
  end
  figures[:jobs_per_s] = COUNT.to_i / (now_s - start_s)
  puts JSON.generate(figures)
end
