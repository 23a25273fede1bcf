#include "ui/widgets/headertip.h"

#include <QHeaderView>
#include <QToolTip>

namespace junban::ui {

void tipAtHeader(const QHeaderView &header, int section, const QString &tip)
{
    QWidget *viewport = header.viewport();
    const QRect place(header.sectionViewportPosition(section), 0, header.sectionSize(section), viewport->height());
    QToolTip::showText(viewport->mapToGlobal(place.bottomLeft()), tip, viewport, place);
}

} // namespace junban::ui
