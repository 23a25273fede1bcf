#include "ui/jobs/jobform.h"

#include "core/base/reasons/window.h"
#include "ui/widgets/jsonedit.h"
#include "ui/widgets/secondsfield.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <limits>

namespace junban::ui {

JobForm::JobForm(Fields fields, QWidget *parent)
    : QWidget(parent)
    , m_rows(new QFormLayout(this))
    , m_name(new QLineEdit(this))
    , m_argument(new JsonEdit(this))
    , m_priority(new QSpinBox(this))
    , m_retries(new QSpinBox(this))
    , m_timeout(secondsField(limits::timeout_s_min, limits::timeout_s_max, this))
    , m_keep(new QCheckBox(tr("&Keep the result for the pusher"), this))
    , m_tags(new QLineEdit(this))
{
    m_rows->setContentsMargins({});
    m_rows->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    m_name->setMaxLength(limits::name_bytes_max);
    m_name->setPlaceholderText(tr("Name of the jobs, such as mail.send"));
    m_priority->setRange(std::numeric_limits<qint32>::min(), std::numeric_limits<qint32>::max());
    m_priority->setToolTip(tr("Smaller numbers run first"));
    m_retries->setRange(0, limits::max_retry_max);
    m_retries->setToolTip(tr("How many times a failed job is tried again"));
    m_timeout->setToolTip(tr("Time limit of one attempt"));
    m_tags->setPlaceholderText(tr("Comma-separated"));
    for (QWidget *field : {static_cast<QWidget *>(m_priority), static_cast<QWidget *>(m_retries)})
        field->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    if (fields == Fields::All)
        m_rows->addRow(tr("&Name"), m_name);
    m_rows->addRow(tr("&Argument (JSON)"), m_argument);
    m_rows->addRow(tr("&Priority"), m_priority);
    m_rows->addRow(tr("&Retries"), m_retries);
    m_rows->addRow(tr("&Timeout"), m_timeout);
    m_rows->addRow(tr("Ta&gs"), m_tags);
    if (fields == Fields::All)
        m_rows->addRow(QString(), m_keep);
    m_name->setVisible(fields == Fields::All);
    m_keep->setVisible(fields == Fields::All);
    m_name->setAccessibleName(tr("Name"));
    m_argument->setAccessibleName(tr("Argument as JSON"));
    m_tags->setAccessibleName(tr("Tags"));
    setSpec({});
}

void JobForm::setSpec(const JobSpec &spec)
{
    m_like = spec;
    m_name->setText(QString::fromUtf8(spec.name));
    m_argument->setBytes(spec.argument);
    m_priority->setValue(spec.priority);
    m_retries->setValue(spec.maxRetry);
    m_timeout->setValue(double(spec.timeout_ms) / 1000);
    m_keep->setChecked(spec.keepResult);
    m_tags->setText(QString::fromUtf8(spec.tags.join(", ")));
}

Result<JobSpec> JobForm::spec() const
{
    JobSpec spec = m_like;
    spec.name = m_name->text().trimmed().toUtf8();
    if (spec.name.isEmpty()) {
        m_name->setFocus();
        return reasons::formNameNeeded();
    }
    Result<QByteArray> argument = m_argument->bytes();
    if (!argument.ok()) {
        m_argument->setFocus();
        return argument.error();
    }
    spec.argument = std::move(argument).value();
    spec.priority = m_priority->value();
    spec.maxRetry = m_retries->value();
    spec.timeout_ms = qint64(m_timeout->value() * 1000 + 0.5);
    spec.keepResult = m_keep->isChecked();
    // A tag may contain a comma, which this field cannot express, so tags that were not edited stay as they are.
    if (m_tags->text() != QString::fromUtf8(m_like.tags.join(", "))) {
        spec.tags.clear();
        for (const QString &tag : m_tags->text().split(QLatin1Char(','), Qt::SkipEmptyParts)) {
            const QByteArray utf8 = tag.trimmed().toUtf8();
            if (!utf8.isEmpty() && !spec.tags.contains(utf8))
                spec.tags.append(utf8);
        }
    }
    return spec;
}

void JobForm::focus(const QByteArray &field)
{
    const std::pair<const char *, QWidget *> fields[] = {
        {"name", m_name}, {"argument", m_argument}, {"priority", m_priority}, {"max_retry", m_retries},
        {"timeout", m_timeout}, {"tags", m_tags}, {"keep_result", m_keep},
    };
    for (const auto &[name, widget] : fields) {
        if (field == name || field.startsWith(QByteArray(name) + '[') || field.endsWith('.' + QByteArray(name)))
            widget->setFocus();
    }
}

} // namespace junban::ui
