#include "core/redis/historywatch.h"

#include "core/limits.h"
#include "core/lua/schema.h"
#include "core/redis/keys.h"
#include "core/redis/randomhex.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QPointer>
#include <QSaveFile>

namespace junban::redis {

namespace {

constexpr int historyLook_ms = 1'000;

QByteArray newDataset()
{
    return randomHex(8);
}

} // namespace

HistoryWatch::HistoryWatch(Link &link, const QByteArray &namespaceName, const Address &address, const QString &directory,
    std::shared_ptr<RollbackNotice> notice, QObject *parent)
    : QObject(parent)
    , m_link(link)
    , m_prefix(keyPrefix(namespaceName))
    , m_notice(std::move(notice))
{
    // One file for each namespace at each address, so that a change to another Redis is not taken for a rollback.
    const QByteArray which = QCryptographicHash::hash(address.text() + ' ' + namespaceName, QCryptographicHash::Sha1).toHex().first(16);
    m_file = directory + QStringLiteral("/seen-") + QString::fromLatin1(which);
    QDir().mkpath(directory);
    load();
    m_timer.setInterval(historyLook_ms);
    connect(&m_timer, &QTimer::timeout, this, &HistoryWatch::look);
    connect(&m_link, &Link::stateChanged, this, [this](LinkState state) {
        if (state == LinkState::Up)
            look();
    });
    m_timer.start();
    look();
}

void HistoryWatch::look()
{
    if (m_looking || m_link.state() != LinkState::Up)
        return;
    m_looking = true;
    m_link.command({"HSETNX", m_prefix + key::meta, field_of::meta::dataset, newDataset()}, [](const Result<Reply> &) {});
    const auto compareLayouts = [self = QPointer<HistoryWatch>(this)](const Result<Reply> &reply) {
        const qint64 layout = reply.ok() ? reply->bytes().toLongLong() : 0; // 0: a new namespace, or one that was flushed
        if (self && layout != 0 && layout != limits::layout_version)
            Q_EMIT self->otherLayout(layout);
    };
    m_link.command({"HGET", m_prefix + key::meta, field_of::meta::layout}, compareLayouts);
    auto dataset = std::make_shared<QByteArray>();
    m_link.command({"HGET", m_prefix + key::meta, field_of::meta::dataset}, [dataset](const Result<Reply> &reply) {
        if (reply.ok())
            *dataset = reply->bytes();
    });
    m_link.command({"GET", m_prefix + key::transaction}, [this, dataset, self = QPointer<HistoryWatch>(this)](const Result<Reply> &reply) {
        if (!self)
            return;
        m_looking = false;
        if (reply.ok() && !dataset->isEmpty())
            seen(*dataset, reply->integer());
    });
}

void HistoryWatch::seen(const QByteArray &dataset, qint64 transaction)
{
    const bool other = !m_dataset.isEmpty() && dataset != m_dataset;
    const qint64 lost = other ? m_transaction : m_transaction - transaction;
    if (lost > 0)
        m_notice->noteRollback(lost, QDateTime::currentMSecsSinceEpoch());
    if (dataset == m_dataset && transaction == m_transaction)
        return;
    m_dataset = dataset;
    m_transaction = transaction;
    save();
}

void HistoryWatch::load()
{
    QFile file(m_file);
    if (!file.open(QIODevice::ReadOnly))
        return;
    const QList<QByteArray> words = file.readAll().trimmed().split(' ');
    if (words.size() != 2)
        return;
    m_dataset = words[0];
    m_transaction = words[1].toLongLong();
}

void HistoryWatch::save()
{
    QSaveFile file(m_file);
    if (!file.open(QIODevice::WriteOnly))
        return;
    file.write(m_dataset + ' ' + QByteArray::number(m_transaction) + '\n');
    file.commit();
}

} // namespace junban::redis
