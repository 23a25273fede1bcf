#pragma once

#include "core/limits/matcher.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

// JobMatchers in files, as `matchers get` writes them and `matchers apply` reads them.
namespace junban::app {

// The matchers of a text, in YAML or JSON: each document is one, a list of some, or {matchers: [...]}, as the API lists them. Each has its
// id. Errors: with the field, below "matchers[i]" or the place in the text.
Result<QList<JobMatcher>> matchersOf(QByteArrayView text);

// One as YAML, without what the master adds and without what has its default.
QByteArray yamlOf(const JobMatcher &matcher);

// The lines of two texts side by side: "  same", "- only in the first", "+ only in the second". Of longer runs of the same lines it keeps
// the two next to a difference. Empty when the texts are the same.
QByteArray lineDifferences(const QByteArray &before, const QByteArray &after);

} // namespace junban::app
