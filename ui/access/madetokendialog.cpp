#include "ui/access/madetokendialog.h"

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/widgets/copytext.h"
#include "ui/widgets/labels.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace junban::ui {

MadeTokenDialog::MadeTokenDialog(const CreatedToken &token, Use use, QWidget *window)
    : QDialog(window)
    , m_text(new QLineEdit(QString::fromLatin1(token.text), this))
    , m_copy(new QPushButton(Look::icon(Icon::Copy), tr("&Copy the token"), this))
    , m_saved(new QPushButton(tr("I have &saved it"), this))
{
    setObjectName(QStringLiteral("madeToken"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("The token “%1”").arg(shown(token.token.spec.note.isEmpty() ? token.token.id : token.token.spec.note)));
    QLabel *once = plainLabel(tr("This is the token. It is shown only once: save it now, for example in a password manager."), this);
    once->setWordWrap(true);
    QPalette amber = once->palette();
    amber.setColor(QPalette::WindowText, Look::amber(palette()));
    once->setPalette(amber);
    m_text->setReadOnly(true);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setAccessibleName(tr("Text of the token"));
    m_text->setMinimumWidth(QFontMetrics(m_text->font()).horizontalAdvance(m_text->text() + QStringLiteral("MMM")));
    m_text->selectAll();
    auto *line = new QHBoxLayout;
    line->addWidget(m_text, 1);
    line->addWidget(m_copy);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(fontMetrics().height() / 2);
    layout->addWidget(once);
    layout->addLayout(line);
    if (use == Use::ByThisWindow) {
        QLabel *own = plainLabel(tr("This window uses it from now on, until it is closed. To start with it again, use --token-file."),
                                 this);
        own->setWordWrap(true);
        layout->addWidget(own);
    }
    auto *end = new QHBoxLayout;
    end->addStretch();
    end->addWidget(m_saved);
    layout->addStretch();
    layout->addLayout(end);
    // Enter that was pressed in the form before must not close this one.
    m_saved->setAutoDefault(false);
    m_copy->setDefault(true);
    m_copy->setFocus();
    connect(m_copy, &QPushButton::clicked, this, [this] { copyText(m_text->text(), m_copy); });
    connect(m_saved, &QPushButton::clicked, this, &QDialog::accept);
}

void MadeTokenDialog::reject()
{
    m_saved->setFocus();
}

} // namespace junban::ui
