#include "ui/shell/reasondialog.h"

#include "ui/widgets/labels.h"
#include "ui/widgets/question.h"

#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace junban::ui {

ReasonDialog::ReasonDialog(client::ApiLink &client, QWidget *window)
    : FormDialog(window)
    , m_client(client)
{
    setObjectName(QStringLiteral("reasonForAll"));
    setWindowTitle(tr("Reason for changes"));
    QLabel *text = plainLabel(tr("The reason for all that you change from now on. It is recorded in the audit and in the histories of "
                                 "jobs, until you empty the line here or this program ends."),
                              this);
    text->setWordWrap(true);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(text);
    layout->addWidget(makeEnd(tr("&Use it"), tr("Keep as it is"), &client));
    resize(fontMetrics().averageCharWidth() * 64, sizeHint().height());
    why()->setFocus();
}

void ReasonDialog::send()
{
    // Later, as this is called while the line's own reason counts.
    QMetaObject::invokeMethod(this, [this] {
        m_client.setReason(reasonIn(*why()));
        accept();
    }, Qt::QueuedConnection);
}

} // namespace junban::ui
