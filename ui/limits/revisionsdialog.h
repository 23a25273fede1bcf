#pragma once

#include "client/apiclient.h"
#include "ui/base/format.h"
#include "ui/widgets/formdialog.h"


namespace junban::ui {

class RecordList;

// The revisions of a matcher: when and by whom each was made, and how the chosen one differs from the one in force. Any of them can be
// restored.
class RevisionsDialog : public FormDialog
{
    Q_OBJECT

public:
    RevisionsDialog(client::ApiClient &client, const JobMatcher &now, const Format &format, QWidget *window);

    RecordList *list() const { return m_list; }
    RecordList *differences() const { return m_differences; }

Q_SIGNALS:
    void reverted(const junban::client::SavedMatcher &now);

private:
    void came(Result<client::MatcherRevisions> answer);
    void sayDifferences();
    const JobMatcher *chosen() const;
    void send() override;

    client::ApiClient &m_client;
    JobMatcher m_now;
    Format m_format;
    QList<JobMatcher> m_revisions;
    RecordList *m_list;
    RecordList *m_differences;
};

} // namespace junban::ui
