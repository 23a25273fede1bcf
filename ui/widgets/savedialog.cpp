#include "ui/widgets/savedialog.h"

#include <QCoreApplication>
#include <QFileDialog>

namespace junban::ui {

namespace {

struct SaveDialogTexts {
    Q_DECLARE_TR_FUNCTIONS(SaveDialog)
};

} // namespace

void askWhereToSave(QWidget *window, const QString &title, const QString &name, std::function<void(const QString &path)> save)
{
    auto *dialog = new QFileDialog(window, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({SaveDialogTexts::tr("JSON (*.json)"), SaveDialogTexts::tr("MessagePack (*.msgpack)")});
    dialog->setDefaultSuffix(QStringLiteral("json"));
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString &filter) {
        dialog->setDefaultSuffix(filter.contains(QLatin1String("*.json")) ? QStringLiteral("json") : QStringLiteral("msgpack"));
    });
    dialog->selectFile(name);
    QObject::connect(dialog, &QFileDialog::fileSelected, window, std::move(save));
    dialog->open();
}

} // namespace junban::ui
