#include "server/api/exposition.h"

#include <QLocale>
#include <cmath>

namespace junban::api {

namespace {

// Whole numbers without an exponent; others as short as they can be read back.
QByteArray numberText(double value)
{
    if (std::isinf(value))
        return value > 0 ? "+Inf" : "-Inf";
    if (value == std::floor(value) && std::abs(value) < 1e15)
        return QByteArray::number(qint64(value));
    return QByteArray::number(value, 'g', QLocale::FloatingPointShortest);
}

QByteArray quoted(QByteArray text)
{
    return '"' + text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n") + '"';
}

} // namespace

void Exposition::begin(const char *name, const char *kind, const char *help)
{
    m_name = QByteArray("junban_") + name;
    m_text += "# HELP " + m_name + ' ' + help + "\n# TYPE " + m_name + ' ' + kind + '\n';
}

void Exposition::sample(const Labels &labels, double value, const char *part)
{
    m_text += m_name + part;
    char before = '{';
    for (const auto &[label, text] : labels) {
        m_text += before + QByteArray(label) + '=' + quoted(text);
        before = ',';
    }
    m_text += labels.isEmpty() ? " " : "} ";
    m_text += numberText(value) + '\n';
}

} // namespace junban::api
