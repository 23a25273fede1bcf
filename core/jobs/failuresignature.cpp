#include "core/jobs/failuresignature.h"

#include "core/limits.h"

#include <array>
#include <re2/re2.h>

namespace junban {

namespace {

constexpr qsizetype looked_at_bytes = 2 * 1024; // of the first line, enough for limits::failure_title_chars_max

// One alternative for each kind. The leftmost match wins, and of those the first kind. Some patterns also match the byte before the text to
// be replaced, as RE2 has no look-behind; `keepsBefore` says that this byte is kept.
struct Kind {
    const char *placeholder;
    const char *pattern;
    bool keepsBefore = false;
};
constexpr std::array kinds{
    Kind{"<text>", R"re("[^"]*"|`[^`]*`|“[^”]*”|「[^」]*」)re"},
    Kind{"<text>", R"re((?:^|[\s=(\[{,:])'[^']*')re", true},
    Kind{"<url>", R"re([A-Za-z][A-Za-z0-9+.\-]*://[^\s"'<>)\]}]+)re"},
    Kind{"<address>", R"re(\b[A-Za-z0-9._%+\-]+@[A-Za-z0-9](?:[A-Za-z0-9.\-]*[A-Za-z0-9])?)re"},
    Kind{"<id>", R"re(\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b|\b0[xX][0-9a-fA-F]+\b)re"},
    Kind{"<ip>", R"re(\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b|\[[0-9a-fA-F:.]*:[0-9a-fA-F:.]*\](?::\d{1,5})?)re"
                 R"re(|\b(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}\b|\b(?:[0-9a-fA-F]{1,4}:)+(?::[0-9a-fA-F]{1,4})+\b)re"},
    Kind{"<host>", R"re(\blocalhost(?::\d{1,5})?\b|\b(?:[a-z0-9](?:[a-z0-9\-]*[a-z0-9])?\.)+)re"
                   R"re((?:com|net|org|io|dev|app|cloud|info|biz|edu|gov|mil|int|arpa|local|lan|home|internal|intranet|corp|example|test)re"
                   R"re(|invalid|[a-z0-9\-]*[a-z0-9]\.[a-z]{2})(?::\d{1,5})?\b)re"},
    Kind{"<path>", R"re((?:^|[\s=(\[{,:])(?:[A-Za-z]:\\[^\s"',;:)\]}]+|(?:~|\.{1,2})?/[^\s"',;:()\[\]{}]+))re", true},
    Kind{"<n>", R"re(\b\d{8,}(?:[.,]\d+)+|\b\d{8,}\b)re"}, // before the next one, which would take it for an id
    Kind{"<id>", R"re(\b[0-9a-fA-F]{8,}\b)re"},
    Kind{"<n>", R"re(\d+(?:[.,]\d+)*(?:[eE][+\-]?\d+)?)re"},
};

const re2::RE2 &pattern()
{
    static const re2::RE2 compiled = [] {
        std::string all;
        for (const Kind &kind : kinds)
            all += std::string(all.empty() ? "(" : "|(") + kind.pattern + ')';
        re2::RE2::Options options;
        options.set_log_errors(false);
        return re2::RE2(all, options);
    }();
    return compiled;
}

bool isContinuation(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

// The first `bytes` bytes, or fewer, so that no character is cut.
QByteArrayView cutBytes(QByteArrayView text, qsizetype bytes)
{
    if (text.size() <= bytes)
        return text;
    while (bytes > 0 && isContinuation(text[bytes]))
        --bytes;
    return text.first(bytes);
}

QByteArray cutCharacters(QByteArray text, int characters_max)
{
    int characters = 0;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (!isContinuation(text[i]) && ++characters > characters_max) {
            text.truncate(i);
            break;
        }
    }
    return text;
}

QByteArrayView firstLine(QByteArrayView message)
{
    message = message.trimmed();
    for (qsizetype i = 0; i < message.size(); ++i) {
        if (message[i] == '\n' || message[i] == '\r')
            return message.first(i).trimmed();
    }
    return message;
}

} // namespace

QByteArray normalisedFailure(QByteArrayView message)
{
    const QByteArrayView line = cutBytes(firstLine(message), looked_at_bytes);
    const re2::StringPiece text(line.data(), size_t(line.size()));
    std::array<re2::StringPiece, kinds.size() + 1> groups;
    QByteArray title;
    size_t at = 0;
    while (at <= text.size() && pattern().Match(text, at, text.size(), re2::RE2::UNANCHORED, groups.data(), int(groups.size()))) {
        const auto start = size_t(groups[0].data() - text.data());
        title.append(line.data() + at, qsizetype(start - at));
        for (size_t kind = 0; kind < kinds.size(); ++kind) {
            if (groups[kind + 1].data() == nullptr)
                continue;
            // One byte precedes the text, or none at the start of the line.
            constexpr QByteArrayView befores = " \t\f\v=([{,:";
            if (kinds[kind].keepsBefore && befores.contains(groups[0][0]))
                title.append(groups[0][0]);
            title.append(kinds[kind].placeholder);
            break;
        }
        at = start + groups[0].size();
    }
    if (at < text.size())
        title.append(line.data() + at, qsizetype(text.size() - at));
    return cutCharacters(title, limits::failure_title_chars_max);
}

} // namespace junban
