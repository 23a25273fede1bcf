<?php
// A worker that asks for jobs. `php pull.php http://127.0.0.1:7717 NAME`. As with junbanctl, JUNBAN_TOKEN is the token, or JUNBAN_TOKEN_FILE the file
// with it, and JUNBAN_CA the file with the certificates to believe.

[, $url, $name] = $argv;
$token = getenv('JUNBAN_TOKEN') ?: (getenv('JUNBAN_TOKEN_FILE') ? trim(file_get_contents(getenv('JUNBAN_TOKEN_FILE'))) : '');
$stopping = false;
set_error_handler(fn($level, $text) => (bool)fwrite(STDERR, "$text\n")); // why a request failed: also that a certificate is not believed
if (function_exists('pcntl_signal')) {
    pcntl_async_signals(true);
    pcntl_signal(SIGTERM, function () use (&$stopping) { $stopping = true; });
}

function run(array $job): mixed
{
    if (!isset($job['argument']['pages']))
        throw new DomainException('no pages');
    return ['pages' => $job['argument']['pages'] * 2]; // the work itself
}

function outcome(array $job): array
{
    $begin = ['id' => $job['id'], 'lease' => $job['lease']];
    try {
        return $begin + ['type' => 'success', 'result' => run($job), 'finished_at' => gmdate('c')];
    } catch (Throwable $fault) {
        return $begin + ['type' => 'failure', 'reason' => 'other', 'should_retry' => !($fault instanceof DomainException),
            'message' => $fault->getMessage(), 'finished_at' => gmdate('c')];
    }
}

// Reports, and takes the next job in the same trip. The same again is safe, so it is repeated until it is answered.
function report(array $outcomes): array
{
    global $url, $name, $token, $stopping;
    $body = ['worker' => 'pull.php-' . getmypid(), 'outcomes' => $outcomes];
    if (!$stopping)
        $body['claim'] = ['names' => [$name], 'wait' => 5];
    $fields = ['Content-Type: application/json'];
    if ($token !== '')
        $fields[] = "Authorization: Bearer $token";
    $context = stream_context_create(['http' => ['method' => 'POST', 'header' => $fields, 'content' => json_encode($body), 'timeout' => 30,
        'ignore_errors' => true], 'ssl' => array_filter(['cafile' => getenv('JUNBAN_CA')])]);
    for (;;) {
        $said = file_get_contents("$url/v1/outcomes", false, $context);
        $status = $said === false ? 0 : (int)explode(' ', $http_response_header[0])[1];
        if ($status === 200)
            return json_decode($said, true)['jobs'] ?? [];
        if ($status >= 400 && $status < 500 && $status !== 429)
            throw new RuntimeException($said);
        if ($said !== false)
            fwrite(STDERR, "$url: $said\n");
        if ($stopping && !$outcomes)
            return [];
        sleep(1);
    }
}

for ($jobs = []; !$stopping || $jobs;)
    $jobs = report(array_map('outcome', $jobs));
