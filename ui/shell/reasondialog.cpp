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
    QLabel *text = plainLabel(tr("Recorded in the audit and in the history of jobs with every change you make, until you clear it here or "
                                 "close the program."),
                              this);
    text->setWordWrap(true);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(text);
    layout->addWidget(makeEnd(tr("&Use this reason"), tr("Keep as it is"), &client));
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
