#include "ui/limits/constraintform.h"

#include "core/base/durations.h"
#include "core/base/reasons/window.h"
#include "core/msgpack/decoder.h"
#include "core/msgpack/msgpackwriter.h"
#include "ui/limits/constrainttexts.h"
#include "ui/widgets/endfield.h"
#include "ui/widgets/jsonedit.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/morerows.h"

#include <QComboBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

QByteArray packed(const QList<Override> &overrides)
{
    MsgpackWriter writer;
    writer.map(overrides.size());
    for (const Override &each : overrides)
        writer.text(each.key).raw(each.fields);
    return writer.take();
}

} // namespace

ConstraintForm::ConstraintForm(ConstraintKind kind, QWidget *parent)
    : QWidget(parent)
    , m_kind(kind)
    , m_parameters(viewOf(kind).makeForm(this))
    , m_by(new QPlainTextEdit(this))
    , m_missing(new QComboBox(this))
    , m_mode(new QComboBox(this))
    , m_end(new EndField(tr("never"), this))
    , m_overrides(new JsonEdit(this))
{
    auto *help = plainLabel(viewOf(kind).help, this);
    help->setWordWrap(true);
    help->setForegroundRole(QPalette::PlaceholderText);
    m_by->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_by->setPlaceholderText(tr("One limit for all; or one for each value of, such as: job.argument.region"));
    m_by->setFixedHeight(fontMetrics().lineSpacing() * 2 + fontMetrics().height());
    m_by->setTabChangesFocus(true);
    m_by->setAccessibleName(tr("One limit for each value of these expressions, one per line"));
    m_missing->addItems({tr("share one limit"), tr("are skipped")});
    m_mode->addItems({modeName(ConstraintMode::Enforce), modeName(ConstraintMode::Observe), modeName(ConstraintMode::Off)});
    m_overrides->setFixedHeight(fontMetrics().lineSpacing() * 2 + fontMetrics().height());
    m_overrides->setPlaceholderText(QStringLiteral("{\"eu\": {\"limit\": 5}}"));
    m_overrides->setAccessibleName(tr("Exceptions for single keys, as JSON"));
    QFormLayout *rows = m_parameters->rows();
    rows->addRow(tr("For each"), m_by);
    rows->addRow(tr("Mode"), m_mode);
    m_more = m_parameters->addMore();
    rows->addRow(tr("Jobs without a key"), m_missing);
    rows->addRow(tr("Exceptions (JSON)"), m_overrides);
    if (viewOf(kind).ends)
        m_end->hide();
    else
        rows->addRow(tr("Ends"), m_end);
    m_more->fold();
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(help);
    layout->addWidget(m_parameters);
    layout->addStretch();
    connect(m_parameters, &ParameterForm::changed, this, &ConstraintForm::changed);
    connect(m_by, &QPlainTextEdit::textChanged, this, &ConstraintForm::changed);
    connect(m_missing, &QComboBox::currentIndexChanged, this, &ConstraintForm::changed);
    connect(m_mode, &QComboBox::currentIndexChanged, this, &ConstraintForm::changed);
    connect(m_end, &EndField::changed, this, &ConstraintForm::changed);
    connect(m_overrides, &QPlainTextEdit::textChanged, this, &ConstraintForm::changed);
}

void ConstraintForm::set(const Constraint &constraint)
{
    m_id = constraint.id;
    m_parameters->set(constraint.parameters);
    m_by->setPlainText(QString::fromUtf8(constraint.by.join('\n')));
    m_missing->setCurrentIndex(int(constraint.onMissing));
    m_mode->setCurrentIndex(int(constraint.mode));
    m_end->setAt(constraint.expiresAt_ms);
    if (constraint.expiresAt_ms && viewOf(m_kind).ends) { // by the API; who uses the form has the kind's own end
        m_parameters->rows()->addRow(tr("Limit ends"), m_end);
        m_more->setChecked(true);
    }
    if (!constraint.overrides.isEmpty())
        m_overrides->setBytes(packed(constraint.overrides));
    m_more->showFilled();
}

void ConstraintForm::showFilled()
{
    m_more->showFilled();
}

Result<Constraint> ConstraintForm::read(const QByteArray &path) const
{
    Constraint constraint;
    constraint.id = m_id;
    constraint.parameters = m_parameters->read();
    for (const QString &line : m_by->toPlainText().split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        if (!line.trimmed().isEmpty())
            constraint.by.append(line.trimmed().toUtf8());
    }
    constraint.onMissing = OnMissing(m_missing->currentIndex());
    constraint.mode = ConstraintMode(m_mode->currentIndex());
    constraint.expiresAt_ms = m_end->at_ms();
    constraint.expiresIn_ms = m_end->after_ms();
    const Result<QByteArray> overrides = m_overrides->bytes();
    if (!overrides.ok())
        return Error{ErrorCode::InvalidField, overrides.error().reason, path + ".overrides"};
    Decoder in;
    const std::optional<PackedValue> given = in.root(*overrides);
    const auto take = [&](QByteArrayView key, const PackedValue &fields) {
        constraint.overrides.append({key.toByteArray(), fields.raw().toByteArray()});
        return true;
    };
    if (!given || (given->head.type != payload::Type::Nil && !in.map(*given, take)))
        return Error{ErrorCode::InvalidField, reasons::formOverridesNotObject().reason, path + ".overrides"};
    // Written and read again, so that the core says what is out of bounds in the master's words.
    return Constraint::fromMsgpack(constraint.packed(), path);
}

} // namespace junban::ui
