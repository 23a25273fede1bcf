#pragma once

#include "core/base/reason.h"
#include "ui/base/format.h"

#include <QDialog>

QT_BEGIN_NAMESPACE
class QLabel;
class QLineEdit;
class QPushButton;
QT_END_NAMESPACE

namespace junban::ui {

// Shown in place of the window when the master in this process could not start, or had to stop: why, with another address to listen at,
// another Redis, and a button that tries again.
class StartFailure : public QDialog
{
    Q_OBJECT

public:
    // `listen`: the addresses, parted by spaces. `redis`: empty for the embedded one.
    StartFailure(const Reason &why, const QString &listen, const QString &redis, QWidget *parent = nullptr);

    // It was tried again now, and for nothing.
    void sayTried(const Format &format);

    QString why() const;
    QString tried() const;
    QLineEdit *listen() const { return m_listen; }
    QLineEdit *redis() const { return m_redis; }
    QPushButton *again() const { return m_again; }

Q_SIGNALS:
    void retryRequested(const QString &listen, const QString &redis);
    void quitRequested();

protected:
    void reject() override;

private:
    QLabel *m_why;
    QLabel *m_tried;
    QLineEdit *m_listen;
    QLineEdit *m_redis;
    QPushButton *m_again;
};

} // namespace junban::ui
