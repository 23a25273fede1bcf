#pragma once

#include "tests/bench/httpclient.h"
#include "tests/bench/servers/server.h"

#include <QByteArray>

// What Junban is asked, for the scenarios that are about its own answers.
namespace bench {

QByteArray packOutcomes(const std::vector<Taken> &finished, int limit, double wait_s); // `limit` 0: without a claim
std::vector<Taken> jobsOf(std::string_view body); // of an answer to a claim or to outcomes
std::string_view view(const QByteArray &bytes);
[[noreturn]] void fail(const char *what, const Reply &reply);

} // namespace bench
