#include "ui/base/mastertexts.h"

#include "ui/base/text.h"

#include <QCoreApplication>
#include <QHash>
#include <algorithm>
#include <optional>
#include <vector>

namespace junban::ui {

namespace {

constexpr int nested_max = 3; // sentences within sentences
using Parts = QList<QByteArrayView>;

// A template with parts that vary: what stands before, between and after them.
struct Pattern {
    const MasterTemplate *of;
    QList<QByteArray> literals;
    qsizetype literalBytes = 0;
};

struct Known {
    QHash<QByteArray, const MasterTemplate *> whole; // without parts
    std::vector<Pattern> patterns; // those that say more come first: "'%1' or 'every' is required." before "'%1' is required."
};

Known knownTemplates()
{
    Known known;
    for (const MasterTemplate &each : masterTemplates()) {
        Pattern pattern{&each, {}, 0};
        QByteArray rest = each.text;
        for (int number = 1; number <= 9; ++number) {
            const qsizetype at = rest.indexOf('%' + QByteArray::number(number));
            if (at < 0)
                break;
            pattern.literals.append(rest.first(at));
            rest = rest.sliced(at + 2);
        }
        if (pattern.literals.isEmpty()) {
            known.whole.insert(rest, &each);
            continue;
        }
        pattern.literals.append(rest);
        for (const QByteArray &literal : std::as_const(pattern.literals))
            pattern.literalBytes += literal.size();
        known.patterns.push_back(std::move(pattern));
    }
    std::stable_sort(known.patterns.begin(), known.patterns.end(),
        [](const Pattern &a, const Pattern &b) { return a.literalBytes > b.literalBytes; });
    return known;
}

// The parts of a message that the pattern fits; each is as short as possible, but for the last one.
std::optional<Parts> partsOf(QByteArrayView message, const QList<QByteArray> &literals)
{
    const QByteArray &first = literals.first(), &last = literals.last();
    if (message.size() < first.size() + last.size() || !message.startsWith(first) || !message.endsWith(last))
        return {};
    QByteArrayView rest = message.sliced(first.size()).chopped(last.size());
    Parts parts;
    for (qsizetype i = 1; i + 1 < literals.size(); ++i) {
        const qsizetype at = rest.indexOf(literals[i]);
        if (at < 0)
            return {};
        parts.append(rest.first(at));
        rest = rest.sliced(at + literals[i].size());
    }
    parts.append(rest);
    return parts;
}

QString translated(const char *text)
{
    return QCoreApplication::translate("MasterTexts", text);
}

QString sentence(QByteArrayView message, int nested);

QString partText(QByteArrayView part, MasterTemplate::Part kind, int nested)
{
    static constexpr char orWord[] = QT_TRANSLATE_NOOP("MasterTexts", " or ");
    switch (kind) {
    case MasterTemplate::Part::Plain: break;
    case MasterTemplate::Part::Sentence: return sentence(part, nested + 1);
    case MasterTemplate::Part::Choice:
        if (const qsizetype at = part.lastIndexOf(orWord); at >= 0)
            return shown(part.first(at)) + translated(orWord) + shown(part.sliced(at + qsizetype(sizeof orWord) - 1));
        break;
    case MasterTemplate::Part::Word:
        for (const char *word : masterWords()) {
            if (part == QByteArrayView(word))
                return translated(word);
        }
        break;
    }
    return shown(part);
}

QString filled(const QString &text, const MasterTemplate &of, const Parts &parts, int nested)
{
    QString out;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const int number = text[i] == QLatin1Char('%') && i + 1 < text.size() ? text[i + 1].digitValue() : -1;
        if (number < 1 || number > parts.size()) {
            out += text[i];
            continue;
        }
        out += partText(parts[number - 1], number == of.which ? of.special : MasterTemplate::Part::Plain, nested);
        ++i;
    }
    return out;
}

// A text without a translation is not put together anew: it comes out byte by byte as it came.
QString inWindowsLanguage(QByteArrayView message, const MasterTemplate &of, const Parts &parts, int nested)
{
    const QString text = translated(of.text);
    return text == QString::fromUtf8(of.text) ? shown(message) : filled(text, of, parts, nested);
}

QString sentence(QByteArrayView message, int nested)
{
    static const Known known = knownTemplates();
    if (nested > nested_max)
        return shown(message);
    if (const MasterTemplate *whole = known.whole.value(QByteArray::fromRawData(message.data(), message.size())))
        return inWindowsLanguage(message, *whole, {}, nested);
    for (const Pattern &pattern : known.patterns) {
        if (const std::optional<Parts> parts = partsOf(message, pattern.literals))
            return inWindowsLanguage(message, *pattern.of, *parts, nested);
    }
    return shown(message);
}

} // namespace

QString masterSentence(QByteArrayView message)
{
    return sentence(message, 0);
}

} // namespace junban::ui
