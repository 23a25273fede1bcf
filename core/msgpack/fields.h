#pragma once

#include "core/base/result.h"
#include "core/msgpack/payload.h"

#include <QByteArray>
#include <QList>
#include <optional>
#include <utility>

namespace junban {

// Reads the fields of a MessagePack map by name and checks what stands there. The first fault is kept, with its path, and everything
// read after it is a default; finish() tells it, or a field that nobody asked for. The map's bytes must outlive this.
class Fields
{
public:
    // `path` is what the map is called in errors: "constraints[2]", or nothing for the outermost one.
    Fields(QByteArrayView map, QByteArray path);

    bool has(const char *name) const { return indexOf(name) >= 0; }
    // The packed value; nothing when it is missing.
    std::optional<QByteArrayView> value(const char *name);
    void require(const char *name);

    std::optional<qint64> integer(const char *name, qint64 min, qint64 max);
    std::optional<double> number(const char *name, double min, double max);
    std::optional<bool> boolean(const char *name);
    // UTF-8 without control characters.
    std::optional<QByteArray> text(const char *name, qsizetype bytes_max);
    // The same, but line ends are let in.
    std::optional<QByteArray> lines(const char *name, qsizetype bytes_max);
    // A time as text (ISO 8601), as milliseconds since the epoch.
    std::optional<qint64> time(const char *name);
    // The index of a word in a list of words.
    std::optional<int> word(const char *name, std::initializer_list<const char *> words);
    // The elements of an array, each packed.
    std::optional<QList<QByteArrayView>> list(const char *name, qsizetype count_max);
    // The entries of a map with keys of text.
    std::optional<QList<std::pair<QByteArray, QByteArrayView>>> map(const char *name, qsizetype count_max);

    // `name` may be a path below this map: "shares.eu".
    void refuse(const QByteArray &name, QByteArray message);
    void refuse(const Error &error);
    QByteArray pathOf(const QByteArray &name) const;
    bool ok() const { return !m_error; }
    Result<Done> finish();

private:
    struct Entry {
        QByteArray name;
        QByteArrayView value;
        bool asked = false;
    };
    qsizetype indexOf(const char *name) const;
    std::optional<payload::Token> head(const char *name);

    QByteArray m_path;
    QList<Entry> m_entries;
    std::optional<Error> m_error;
};

} // namespace junban
