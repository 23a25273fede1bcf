#pragma once

#include <QWidget>
#include <optional>

QT_BEGIN_NAMESPACE
class QComboBox;
class QDateTimeEdit;
class QSpinBox;
QT_END_NAMESPACE

namespace junban::ui {

// When something ends: never, so long after the form is sent, or at a time (UTC). A length of time is sent as such, so the master's clock
// counts it.
class EndField : public QWidget
{
    Q_OBJECT

public:
    // `never`: the word for no end.
    EndField(const QString &never, QWidget *parent);

    void setAt(std::optional<qint64> at_ms);
    std::optional<qint64> at_ms() const;
    std::optional<qint64> after_ms() const;
    void setAfter(int amount, qint64 unit_ms);

    QComboBox *choice() const { return m_choice; }

Q_SIGNALS:
    void changed();

private:
    enum class Kind { Never, After, At };
    Kind kind() const;
    void showFields(Kind kind);

    QComboBox *m_choice;
    QSpinBox *m_amount;
    QComboBox *m_unit;
    QDateTimeEdit *m_at;
};

} // namespace junban::ui
