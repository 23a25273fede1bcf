#pragma once

#include "client/apiclient.h"
#include "ui/base/preferences.h"
#include "ui/widgets/formdialog.h"

#include <QTimer>

QT_BEGIN_NAMESPACE
class QCheckBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QMenu;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QStackedWidget;
QT_END_NAMESPACE

namespace junban::ui {

class ConstraintForm;
class ExpressionEdit;
class MoreRows;
class PreviewTree;
class TestPanel;

// Edits a JobMatcher: its expression, with suggestions from real jobs, and its constraints. Beside them it shows a preview of what the
// matcher would do, and whether a given job matches; the master is asked a moment after each change. Saving replaces only the revision that
// was opened.
class MatcherDialog : public FormDialog
{
    Q_OBJECT

public:
    // `matcher`: the one to change; nullopt: a new one.
    MatcherDialog(client::ApiClient &client, const std::optional<JobMatcher> &matcher, Preferences &preferences,
                  QWidget *window);

    void setExpression(const QByteArray &expression);
    // Begins with a copy of another matcher. The copy and its constraints get IDs of their own.
    void setLike(JobMatcher other);

    QLineEdit *id() const { return m_id; }
    QLineEdit *title() const { return m_title; }
    ExpressionEdit *expression() const { return m_expression; }
    QListWidget *constraints() const { return m_list; }
    ConstraintForm *form(int row) const;
    PreviewTree *preview() const { return m_preview; }
    QPushButton *observe() const { return m_observe; }
    TestPanel *test() const { return m_test; }
    // Shows the form of this constraint, if the matcher has it.
    void showConstraint(const QByteArray &id);
    // Appends a constraint of this kind and shows it.
    void add(ConstraintKind kind);

    static constexpr int pause_ms = 250; // from a change until the master is asked what it would do
    static constexpr int samples = 200;  // jobs whose arguments are looked at for suggestions

Q_SIGNALS:
    // `before`: the revision that it replaced; 0: none.
    void saved(const junban::client::SavedMatcher &now, qint64 before);
    void jobRequested(const junban::JobId &id);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    static QString titleOf(const JobMatcher &matcher);
    QWidget *buildHead();
    QWidget *buildConstraints();
    QWidget *buildPreview();
    QWidget *buildEnd();
    void fill(const JobMatcher &matcher);
    void addForm(ConstraintKind kind, const Constraint *constraint);
    void removeChosen();
    void sayConstraints();
    Result<JobMatcher> read() const;
    void changed();
    void sayExpression();
    void askPreview();
    void sendPreview(const client::PreviewQuery &query, qint64 rateStop_ms);
    void askSamples();
    enum class Mode { AsChosen, Observe };
    void save(Mode mode);
    void send() override { save(Mode::AsChosen); }
    void put(const JobMatcher &matcher, qint64 revision);
    void sayTest(const Result<client::Checked<client::MatcherPreview>> &answer);
    void came(const JobMatcher &mine, Result<client::Checked<client::SavedMatcher>> answer);
    void showConflict(const JobMatcher &mine);
    void showProblems(const QList<ExpressionProblem> &problems);
    void sayBesideFields(const QString &problem);

    client::ApiClient &m_client;
    std::optional<JobMatcher> m_base; // the matcher that was opened
    Format m_format;
    QTimer m_pause;
    client::CallId m_previewCall = 0;
    quint64 m_previewed = 0;          // counts what was asked for
    QLineEdit *m_id = nullptr;
    QLineEdit *m_title = nullptr;
    ExpressionEdit *m_expression = nullptr;
    QLabel *m_expressionState = nullptr;
    QCheckBox *m_enabled = nullptr;
    QSpinBox *m_rank = nullptr;
    QLineEdit *m_exempts = nullptr;
    QLineEdit *m_mask = nullptr;
    MoreRows *m_more = nullptr;
    QPlainTextEdit *m_note = nullptr;
    QListWidget *m_list = nullptr;
    QStackedWidget *m_forms = nullptr;
    QMenu *m_kinds = nullptr;
    QPushButton *m_remove = nullptr;
    PreviewTree *m_preview = nullptr;
    TestPanel *m_test = nullptr;
    QPushButton *m_observe = nullptr;
};

} // namespace junban::ui
