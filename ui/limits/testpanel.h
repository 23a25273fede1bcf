#pragma once

#include "client/matchercalls.h"

#include <QGroupBox>
#include <QTimer>

QT_BEGIN_NAMESPACE
class QLabel;
class QLineEdit;
QT_END_NAMESPACE

namespace junban::ui {

class JsonEdit;
class RecordList;

// Tries an expression on one job, which is given by its id or by a name and an argument. The master says whether the job matches, and for
// each operand of && and || whether it holds and what it reads in the job.
class TestPanel : public QGroupBox
{
    Q_OBJECT

public:
    explicit TestPanel(QWidget *parent = nullptr);

    // The job to try; nullopt while none is given, or when its argument is not JSON, which the panel then says.
    std::optional<client::TestedJob> job() const;
    void setResult(const client::TestedTerms &terms);
    void setNote(const QString &note);
    void setJob(const QString &text, const QString &argument = {});

    QLineEdit *subject() const { return m_job; }
    JsonEdit *argument() const { return m_argument; }
    QString verdict() const;
    RecordList *terms() const { return m_terms; }

Q_SIGNALS:
    void changed();

private:
    void sayJob();
    void sayVerdict(const QString &text, const QColor &color);

    QLineEdit *m_job;
    JsonEdit *m_argument;
    QLabel *m_verdict;
    RecordList *m_terms;
};

} // namespace junban::ui
