#pragma once

#include "core/store/store.h"

// Answers of the store as text, to compare two stores. Leases are left out, as they are random.
namespace junban::test {

QByteArray text(const Attempt &attempt);
QByteArray text(const Job &job);
QByteArray text(const Event &event);
QByteArray text(const Group &g);
QByteArray text(const Overview &c);
QByteArray text(const QList<NameRow> &names);
QByteArray text(Swept swept);

template<typename T, typename Show>
QByteArray text(const Result<T> &result, Show show)
{
    return result.ok() ? show(*result) : QByteArray(errorWord(result.error().code));
}

} // namespace junban::test
