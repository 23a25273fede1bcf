#include "ui/widgets/copytext.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QToolTip>
#include <QWidget>

namespace junban::ui {

namespace {

struct CopyTexts {
    Q_DECLARE_TR_FUNCTIONS(CopyText)
};

} // namespace

void copyText(const QString &text, QWidget *from)
{
    QGuiApplication::clipboard()->setText(text);
    QToolTip::showText(from->mapToGlobal(from->rect().bottomLeft()), CopyTexts::tr("Copied"), from);
}

} // namespace junban::ui
