#include "core/journal/lead.h"

namespace junban::journal {

const QList<QByteArray> &Lead::fields()
{
    static const QList<QByteArray> names{"id", "n", "at", "beat", "term", "base", "gone", "layout", "address", "certificate", "secret"};
    return names;
}

Lead Lead::of(const QList<QByteArray> &values)
{
    Lead lead;
    lead.id = values.value(0);
    lead.n = values.value(1).toLongLong();
    lead.at_ms = values.value(2).toLongLong();
    lead.beat = values.value(3).toLongLong();
    lead.term = values.value(4).toLongLong();
    lead.base = values.value(5).toLongLong();
    lead.gone = !values.value(6).isEmpty();
    lead.layout = values.value(7).toInt();
    lead.address = values.value(8);
    lead.certificate = values.value(9);
    lead.secret = values.value(10);
    return lead;
}

} // namespace junban::journal
