#include "ui/shell/palettedialog.h"

#include "ui/base/text.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

enum Role { ActionRole = Qt::UserRole, JobRole, NameRole };

QString plainText(const QAction *action)
{
    QString text = action->text();
    // Japanese menus have their key after the text: "終了(&Q)".
    const qsizetype bracket = text.indexOf(QLatin1String("(&"));
    if (bracket > 0)
        text.remove(bracket, 4);
    return text.remove(QLatin1Char('&'));
}

} // namespace

PaletteDialog::PaletteDialog(const QList<QAction *> &actions, QWidget *window)
    : QDialog(window)
    , m_actions(actions)
    , m_input(new QLineEdit(this))
    , m_list(new QListWidget(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Commands"));
    m_input->setPlaceholderText(tr("A command, a job's ID or a name"));
    m_input->setAccessibleName(m_input->placeholderText());
    m_list->setAccessibleName(tr("Commands"));
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_input->installEventFilter(this);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_input);
    layout->addWidget(m_list, 1);
    const int line = fontMetrics().height();
    resize(line * 30, line * 22);
    connect(m_input, &QLineEdit::textChanged, this, &PaletteDialog::fill);
    connect(m_input, &QLineEdit::returnPressed, this, &PaletteDialog::choose);
    connect(m_list, &QListWidget::itemClicked, this, &PaletteDialog::choose);
    fill();
}

void PaletteDialog::fill()
{
    const QString typed = m_input->text().trimmed();
    m_list->clear();
    if (const std::optional<JobId> id = JobId::fromText(typed.toLatin1())) {
        auto *item = new QListWidgetItem(tr("Open the job %1").arg(QString::fromLatin1(id->text())), m_list);
        item->setData(JobRole, id->bytes());
    }
    for (QAction *action : std::as_const(m_actions)) {
        const QString text = plainText(action);
        if (!action->isEnabled() || text.isEmpty() || !text.contains(typed, Qt::CaseInsensitive))
            continue;
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        auto *item = new QListWidgetItem(keys.isEmpty() ? text : tr("%1   (%2)", "a command and its key").arg(text, keys), m_list);
        item->setData(ActionRole, QVariant::fromValue<QObject *>(action));
    }
    if (!typed.isEmpty() && !JobId::fromText(typed.toLatin1())) {
        auto *item = new QListWidgetItem(tr("Show the jobs named “%1”").arg(shown(typed)), m_list);
        item->setData(NameRole, typed.toUtf8());
    }
    m_list->setCurrentRow(0);
}

void PaletteDialog::choose()
{
    const QListWidgetItem *item = m_list->currentItem();
    if (!item)
        return;
    const QByteArray job = item->data(JobRole).toByteArray();
    const QByteArray name = item->data(NameRole).toByteArray();
    auto *action = qobject_cast<QAction *>(item->data(ActionRole).value<QObject *>());
    close();
    if (const std::optional<JobId> id = JobId::fromBytes(job))
        Q_EMIT jobChosen(*id);
    else if (!name.isEmpty())
        Q_EMIT nameChosen(name);
    else if (action)
        action->trigger();
}

bool PaletteDialog::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_input && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        const int rows = m_list->count();
        if ((key == Qt::Key_Down || key == Qt::Key_Up) && rows > 0) {
            m_list->setCurrentRow((m_list->currentRow() + (key == Qt::Key_Down ? 1 : rows - 1)) % rows);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace junban::ui
