#pragma once

#include "core/limits/matcher.h"
#include "ui/limits/constrainttexts.h"

#include <QDialog>

QT_BEGIN_NAMESPACE
class QPushButton;
QT_END_NAMESPACE

namespace junban::ui {

class RecordList;

// Someone else has saved a matcher while it was edited here. The dialog shows where the matcher as it was, theirs and mine differ. What
// only one side has changed is taken from that side; for what both have changed the operator chooses a side. So nothing is overwritten
// unseen.
class ConflictDialog : public QDialog
{
    Q_OBJECT

public:
    // `base`: what this edit began with; `theirs`: what is in force now; `mine`: what this edit would make of it.
    ConflictDialog(const JobMatcher &base, const JobMatcher &theirs, const JobMatcher &mine, const Format &format, QWidget *window);

    enum class Side { Open, Theirs, Mine };
    // The side that a row's field is taken from.
    Side side(int row) const { return m_sides.value(row); }
    void choose(int row, Side side);
    // The matcher as it was chosen: theirs, with the fields that are taken from mine.
    JobMatcher merged() const;

    RecordList *list() const { return m_list; }
    QPushButton *go() const { return m_go; }
    QPushButton *keepMine() const { return m_mine; }
    QPushButton *keepTheirs() const { return m_theirs; }

Q_SIGNALS:
    // The operator wants this to be saved.
    void chosen(const junban::JobMatcher &matcher);

private:
    QWidget *buildButtons();
    void chooseAll(Side side);
    void say();

    JobMatcher m_theirMatcher;
    JobMatcher m_myMatcher;
    QList<MatcherDifference> m_rows;
    QList<Side> m_sides;
    RecordList *m_list;
    QPushButton *m_go = nullptr;
    QPushButton *m_mine = nullptr;
    QPushButton *m_theirs = nullptr;
};

} // namespace junban::ui
