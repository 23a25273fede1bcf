#include "ui/base/reasontexts.h"

#include "core/base/reasonwording.h"
#include "ui/base/text.h"

#include <QFile>
#include <QHash>
#include <nlohmann/json.hpp>

namespace junban::ui {

namespace {

using Of = ReasonWording::Of;

// The sentences of a language: resources/i18n/reasons.LANGUAGE.json.
class Sentences
{
public:
    explicit Sentences(const QString &language)
    {
        QFile file(QStringLiteral(":/reasons/reasons.%1.json").arg(language));
        if (!file.open(QIODevice::ReadOnly))
            return;
        const QByteArray bytes = file.readAll();
        const nlohmann::json json = nlohmann::json::parse(bytes.begin(), bytes.end(), nullptr, false);
        read(json, "reasons", Of::Reason);
        read(json, "words", Of::Word);
        read(json, "patterns", Of::Pattern);
    }

    QByteArray find(Of of, QByteArrayView name) const
    {
        return m_texts[int(of)].value(QByteArray::fromRawData(name.data(), name.size()));
    }

private:
    void read(const nlohmann::json &json, const char *member, Of of)
    {
        if (!json.is_object() || !json.contains(member) || !json[member].is_object())
            return;
        for (const auto &[name, text] : json[member].items()) {
            if (text.is_string())
                m_texts[int(of)].insert(QByteArray::fromStdString(name), QByteArray::fromStdString(text.get<std::string>()));
        }
    }

    QHash<QByteArray, QByteArray> m_texts[3];
};

// In a language without translations of its own, as in English.
QByteArray sentenceIn(const QLocale &locale, Of of, QByteArrayView name)
{
    static const Sentences japanese(QStringLiteral("ja"));
    const QByteArray text = locale.language() == QLocale::Japanese ? japanese.find(of, name) : QByteArray();
    return text.isEmpty() ? englishSentence(of, name) : text;
}

QString numberText(const QLocale &locale, const ReasonValue::Content &number)
{
    if (const qint64 *whole = std::get_if<qint64>(&number))
        return locale.toString(*whole);
    return locale.toString(std::get<double>(number), 'g', 15);
}

} // namespace

QString reasonText(const Reason &reason, const Format &format)
{
    const ReasonWording wording{
        [&](Of of, QByteArrayView name) { return sentenceIn(format.locale(), of, name); },
        [](QByteArrayView text) { return shown(text).toUtf8(); },
        [&](const ReasonValue::Content &number) { return numberText(format.locale(), number).toUtf8(); },
        [&](qint64 time_ms) { return format.dateTime(time_ms).toUtf8(); },
    };
    return QString::fromUtf8(worded(reason, wording));
}

} // namespace junban::ui
