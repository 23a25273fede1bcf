#pragma once

#include <QByteArray>
#include <QList>
#include <QPair>

namespace junban::api {

// Writes Prometheus' text format, version 0.0.4. The samples of a family follow each other.
class Exposition
{
public:
    static constexpr char type[] = "text/plain; version=0.0.4; charset=utf-8";
    using Labels = QList<QPair<const char *, QByteArray>>;

    // Begins a family; its name comes without the prefix "junban_". A counter's name ends in "_total".
    void gauge(const char *name, const char *help) { begin(name, "gauge", help); }
    void counter(const char *name, const char *help) { begin(name, "counter", help); }
    void histogram(const char *name, const char *help) { begin(name, "histogram", help); }
    // A sample of the family that was begun last. `part` is empty, or "_bucket", "_sum" and "_count" of a histogram.
    void sample(const Labels &labels, double value, const char *part = "");
    void one(double value) { sample({}, value); }

    QByteArray take() { return std::move(m_text); }

private:
    void begin(const char *name, const char *kind, const char *help);

    QByteArray m_text;
    QByteArray m_name;
};

} // namespace junban::api
