#pragma once

#include "core/limits/matcher.h"
#include "ui/limits/constrainttexts.h"

#include <QDialog>

QT_BEGIN_NAMESPACE
class QPushButton;
QT_END_NAMESPACE

namespace junban::ui {

class RecordList;

// Opens when someone else has saved a matcher while it was edited here. The dialog shows the fields in which the original matcher, theirs
// and mine differ. A field that only one side has changed is taken from that side; for a field that both have changed, the operator
// chooses a side. So nothing is overwritten unseen.
class ConflictDialog : public QDialog
{
    Q_OBJECT

public:
    // `base`: the matcher with which this edit began; `theirs`: the one in force now; `mine`: the result of this edit.
    ConflictDialog(const JobMatcher &base, const JobMatcher &theirs, const JobMatcher &mine, const Format &format, QWidget *window);

    enum class Side { Open, Theirs, Mine };
    // The side that a row's field is taken from.
    Side side(int row) const { return m_sides.value(row); }
    void choose(int row, Side side);
    // The chosen matcher: theirs, with the fields that are taken from mine.
    JobMatcher merged() const;

    RecordList *list() const { return m_list; }
    QPushButton *go() const { return m_go; }
    QPushButton *keepMine() const { return m_mine; }
    QPushButton *keepTheirs() const { return m_theirs; }

Q_SIGNALS:
    // The operator wants to save this matcher.
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
