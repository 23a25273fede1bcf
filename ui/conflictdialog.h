#pragma once

#include "core/matcher.h"
#include "ui/format.h"

#include <QDialog>

QT_BEGIN_NAMESPACE
class QPushButton;
QT_END_NAMESPACE

namespace junban::ui {

class RecordList;

// Someone else has saved a matcher while it was edited here: what it was, what it is now, and what it would be, where the three differ.
// The operator says whose stands; nothing is overwritten unseen.
class ConflictDialog : public QDialog
{
    Q_OBJECT

public:
    // `base`: what this edit began with; `theirs`: what is in force now; `mine`: what this edit would make of it.
    ConflictDialog(const JobMatcher &base, const JobMatcher &theirs, const JobMatcher &mine, const Format &format, QWidget *window);

    RecordList *list() const { return m_list; }
    QPushButton *keepMine() const { return m_mine; }
    QPushButton *takeTheirs() const { return m_theirs; }

Q_SIGNALS:
    void mineWanted();
    void theirsWanted();

private:
    RecordList *m_list;
    QPushButton *m_mine;
    QPushButton *m_theirs;
};

} // namespace junban::ui
