#pragma once

#include "client/apiclient.h"
#include "client/matchers.h"
#include "ui/format.h"

#include <QDialog>

QT_BEGIN_NAMESPACE
class QLabel;
class QPushButton;
QT_END_NAMESPACE

namespace junban::ui {

class RecordList;

// The revisions of a matcher: when, by whom, and what the chosen one has other than the one in force; any can be brought back.
class RevisionsDialog : public QDialog
{
    Q_OBJECT

public:
    RevisionsDialog(client::ApiClient &client, const JobMatcher &now, const Format &format, QWidget *window);

    RecordList *list() const { return m_list; }
    RecordList *differences() const { return m_differences; }
    QPushButton *go() const { return m_go; }

Q_SIGNALS:
    void reverted(const junban::client::SavedMatcher &now);

private:
    void came(Result<client::MatcherRevisions> answer);
    void sayDifferences();
    const JobMatcher *chosen() const;
    void revert();

    client::ApiClient &m_client;
    JobMatcher m_now;
    Format m_format;
    QList<JobMatcher> m_revisions;
    RecordList *m_list;
    RecordList *m_differences;
    QLabel *m_problem;
    QPushButton *m_go;
};

// Two matchers side by side, by rows that differ. What stands in only one has no text in the other.
struct MatcherDifference {
    QByteArray key;
    QString name;
    QString first;
    QString second;
};
QList<MatcherDifference> differencesOf(const JobMatcher &first, const JobMatcher &second, const Format &format);

} // namespace junban::ui
