<?php
// A worker that serves HTTP (openapi/worker.yaml). `JUNBAN_SECRET=SECRET php -S 127.0.0.1:PORT served.php`

function run(array $job): mixed
{
    if (!isset($job['argument']['pages']))
        throw new DomainException('no pages');
    return ['pages' => $job['argument']['pages'] * 2]; // the work itself
}

function isMasters(string $path, string $body): bool
{
    $sentAt = $_SERVER['HTTP_JUNBAN_TIME'] ?? '0';
    $secret = getenv('JUNBAN_SECRET') ?: throw new RuntimeException('JUNBAN_SECRET is missing');
    $code = hash_hmac('sha256', "{$_SERVER['REQUEST_METHOD']}\n$path\n$sentAt\n$body", $secret);
    return hash_equals($code, $_SERVER['HTTP_JUNBAN_SIGNATURE'] ?? '') && abs(time() - (int)$sentAt) < 300;
}

function outcome(array $job): array
{
    try {
        return ['type' => 'success', 'result' => run($job), 'finished_at' => gmdate('c')];
    } catch (Throwable $fault) {
        return ['type' => 'failure', 'reason' => 'other', 'should_retry' => !($fault instanceof DomainException),
            'message' => $fault->getMessage(), 'finished_at' => gmdate('c')];
    }
}

$path = $_SERVER['REQUEST_URI'];
$body = file_get_contents('php://input');
header('Content-Type: application/json');
if ($path === '/v1/health') {
    echo '{}';
} elseif (!isMasters($path, $body)) {
    http_response_code(401);
} elseif ($path === '/v1/run') {
    echo json_encode(outcome(json_decode($body, true)));
} else {
    http_response_code(404); // this worker cannot stop a job
}
