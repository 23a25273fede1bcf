#pragma once

#include "core/jobs/job.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QLabel;
class QPlainTextEdit;
class QToolButton;
QT_END_NAMESPACE

namespace junban::ui {

// A failure to be read: the error and its cause on top, below them the whole message with its lines and what the worker sent beside it, in
// a font of fixed width. It is copied as it is shown.
class ErrorView : public QWidget
{
    Q_OBJECT

public:
    explicit ErrorView(QWidget *parent = nullptr);

    // `outcome`: the last report; empty when it is not kept, and the beginning of the message is all that is known.
    void setJob(const Job &job, const QByteArray &outcome);

    QString heading() const;
    QString cause() const;
    QPlainTextEdit *text() const { return m_text; }
    QToolButton *wrap() const { return m_wrap; }

private:
    void copy();

    QLabel *m_heading;
    QLabel *m_cause;
    QPlainTextEdit *m_text;
    QLabel *m_note;
    QWidget *m_bar;
    QToolButton *m_copy;
    QToolButton *m_wrap;
};

// The details of a failure that a worker sent as a value, line by line: texts as they are, all else as JSON. Empty: there are none.
QString errorDetails(QByteArrayView value);

} // namespace junban::ui
