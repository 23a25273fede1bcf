#pragma once

#include "ui/widgets/page.h"
#include "ui/widgets/recordmodel.h"

QT_BEGIN_NAMESPACE
class QAction;
class QLabel;
class QMenu;
class QPushButton;
QT_END_NAMESPACE

namespace junban::ui {

class FilterBar;
class PayloadView;
class RecordList;

// Results that wait for their pushers. They can be read without taking them, saved, discarded, or kept longer.
class ResultsPage : public Page
{
    Q_OBJECT

public:
    ResultsPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent = nullptr);

    void refresh() override;
    // Writes the chosen result to a file: MessagePack, or JSON when the name ends with .json. False when it cannot be written.
    bool saveTo(const QString &path);

    FilterBar *filterBar() const { return m_bar; }
    RecordList *list() const { return m_list; }
    QPushButton *stop() const { return m_stop; }
    PayloadView *payload() const { return m_payload; }
    QAction *save() const { return m_save; }
    QAction *discard() const { return m_discard; }
    QAction *open() const { return m_open; }
    QMenu *extensions() const { return m_extensions; }

    static constexpr int rowsAtOnce = 100;

Q_SIGNALS:
    // A new JobMatcher is wanted, with this expression.
    void matcherRequested(const QByteArray &expression);
    void pauseRequested(const QByteArray &expression);

private:
    QWidget *buildDetail();
    void buildActions();
    void more();
    void search();
    void read(const QByteArray &cursor);
    void stopOrGoOn();
    void saySearch();
    void offerCell(QMenu *menu, const QModelIndex &cell);
    void came(Result<ResultPage> answer);
    void peek();
    void say();
    void sayDetail();
    std::optional<KeptResult> chosen() const;
    void askPath();
    void askDiscard();
    void extend(qint64 ttl_ms);

    QList<KeptResult> m_results;
    QList<KeptResult> m_coming;    // of the pages under way
    QByteArray m_match;            // an expression; empty: all results
    qint64 m_total = 0;
    qint64 m_scanned = 0;
    qint64 m_scanning = 0;
    QByteArray m_next;
    // Of a search: it has a first answer and goes on by itself, or the operator has stopped it.
    enum class Search { None, GoesOn, Stopped } m_search = Search::None;
    int m_limit = rowsAtOnce;
    int m_asked = 0;
    client::CallId m_call = 0;
    client::CallId m_peekCall = 0;
    JobId m_peeked;                // the job whose outcome m_outcome shows
    QByteArray m_outcome;
    FilterBar *m_bar = nullptr;
    QPushButton *m_stop = nullptr;  // stops the search, or goes on with it
    RecordList *m_list = nullptr;
    QWidget *m_detail = nullptr;
    QLabel *m_title = nullptr;
    PayloadView *m_payload = nullptr;
    QAction *m_save = nullptr;
    QAction *m_discard = nullptr;
    QAction *m_open = nullptr;
    QMenu *m_extensions = nullptr;
};

} // namespace junban::ui
