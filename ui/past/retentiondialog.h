#pragma once

#include "client/pastcalls.h"
#include "client/purged.h"
#include "ui/base/format.h"
#include "ui/widgets/formdialog.h"

#include <QTimer>
#include <array>
#include <optional>

QT_BEGIN_NAMESPACE
class QComboBox;
class QSpinBox;
QT_END_NAMESPACE

namespace junban::ui {

// How long the jobs of a name, or of all names, are kept when they have ended. The form says how many jobs its settings purge at once.
class RetentionDialog : public FormDialog
{
    Q_OBJECT

public:
    // `name`: empty: all names; nothing: one that is typed into the form. The client must outlive the dialog.
    RetentionDialog(client::ApiClient &client, client::KeptSettings kept, std::optional<QByteArray> name, const Format &format,
                    QWidget *window);

    // An amount and its unit; the first unit is that nothing is set.
    struct Field {
        QSpinBox *amount = nullptr;
        QComboBox *unit = nullptr;
    };
    // Of succeeded, failed and cancelled jobs.
    const Field &age(int end) const { return m_ages[size_t(end)]; }
    const Field &count(int end) const { return m_counts[size_t(end)]; }
    QLineEdit *name() const { return m_name; }
    QString preview() const;

    // "12 jobs are purged at once …"
    static QString purgedText(const client::Purged &purged);

Q_SIGNALS:
    void saved();

private:
    QWidget *buildFields();
    Field buildField(const QString &unset, const QList<std::pair<QString, qint64>> &units, const QString &accessibleName);
    static void fill(const Field &field, std::optional<qint64> value);
    static std::optional<qint64> valueOf(const Field &field);
    Retention retention() const;
    QByteArray scope() const;
    void changed();
    void countPurged();
    void send() override;
    void save();
    bool purgesNone() const;

    client::ApiClient &m_client;
    const client::KeptSettings m_kept;
    const std::optional<QByteArray> m_of;
    const Format m_format;
    QLineEdit *m_name = nullptr;
    std::array<Field, 3> m_ages, m_counts;
    QLabel *m_purged = nullptr;
    QTimer m_soon;              // until the jobs are counted that a change would purge
    int m_asked = 0;            // counts; of several answers only the last one is shown
    std::optional<client::Purged> m_counted; // nothing: not known yet
};

} // namespace junban::ui
