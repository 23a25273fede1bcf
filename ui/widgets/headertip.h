#pragma once

#include <QString>

QT_BEGIN_NAMESPACE
class QHeaderView;
QT_END_NAMESPACE

namespace junban::ui {

// Says something below a column's title, as a tooltip that does not wait for the pointer to rest.
void tipAtHeader(const QHeaderView &header, int section, const QString &tip);

} // namespace junban::ui
