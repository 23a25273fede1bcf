#pragma once

#include "core/jobs/jobid.h"

#include <QDialog>
#include <QList>

QT_BEGIN_NAMESPACE
class QAction;
class QLineEdit;
class QListWidget;
QT_END_NAMESPACE

namespace junban::ui {

// The command palette (Ctrl+K): finds actions by a part of their text. A job's ID opens that job; any other word is also offered as a name
// of jobs.
class PaletteDialog : public QDialog
{
    Q_OBJECT

public:
    // `actions`: those of the menus, in their order; disabled ones are not offered.
    PaletteDialog(const QList<QAction *> &actions, QWidget *window);

    QLineEdit *input() const { return m_input; }
    QListWidget *list() const { return m_list; }

Q_SIGNALS:
    void jobChosen(const junban::JobId &id);
    void nameChosen(const QByteArray &name);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fill();
    void choose();

    QList<QAction *> m_actions;
    QLineEdit *m_input;
    QListWidget *m_list;
};

} // namespace junban::ui
