#include "ui/limits/overridedialog.h"

#include "core/base/reasons/window.h"
#include "core/msgpack/decoder.h"
#include "core/msgpack/mapwriter.h"
#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/limits/constrainttexts.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/morerows.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

// A packed map's names with their packed values.
QList<QPair<QByteArray, QByteArray>> fieldsOf(const QByteArray &map)
{
    QList<QPair<QByteArray, QByteArray>> fields;
    Decoder in;
    if (const std::optional<PackedValue> root = in.root(map))
        in.map(*root, [&](QByteArrayView name, const PackedValue &value) {
            fields.append({name.toByteArray(), value.raw().toByteArray()});
            return true;
        });
    return fields;
}

} // namespace

OverrideDialog::OverrideDialog(client::ApiClient &client, const Constraint &constraint, const std::optional<QByteArray> &key,
                               qint64 revision, QWidget *window)
    : FormDialog(window)
    , m_client(client)
    , m_constraint(constraint)
    , m_revision(revision)
    , m_key(new QLineEdit(this))
    , m_parameters(viewOf(constraint.kind()).makeForm(this))
{
    setWindowTitle(tr("Limits for a key of %1").arg(shown(constraint.id)));
    m_key->setMaxLength(limits::bucket_key_bytes_max);
    m_key->setPlaceholderText(shown(constraint.by.join(", ")));
    m_key->setText(QString::fromUtf8(key.value_or(QByteArray())));
    m_key->setEnabled(!key);
    MoreRows *more = m_parameters->addMore();
    more->fold();
    m_parameters->set(constraint.parametersFor(key.value_or(QByteArray())));
    more->showFilled();
    auto *note = plainLabel(tr("Fields that you don't change follow the constraint."), this);
    note->setWordWrap(true);
    note->setForegroundRole(QPalette::PlaceholderText);
    auto *row = new QFormLayout;
    row->addRow(tr("&Key"), m_key);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(row);
    layout->addWidget(m_parameters);
    layout->addWidget(note);
    layout->addStretch();
    layout->addWidget(makeEnd(tr("&Save"), {}, &client));
    resize(characterWidth(fontMetrics()) * 64, sizeHint().height());
}

QByteArray OverrideDialog::none()
{
    return MapWriter().take();
}

Result<QByteArray> OverrideDialog::differing(const Constraint &constraint, const Parameters &wanted)
{
    Constraint plain, other;
    plain.parameters = constraint.parameters;
    other.parameters = wanted;
    const auto own = fieldsOf(plain.packed()), theirs = fieldsOf(other.packed());
    MapWriter map;
    for (const auto &field : theirs) {
        if (!own.contains(field))
            map.raw(field.first, field.second);
    }
    const QByteArray fields = map.take();
    plain.overrides = {{"key", fields}};
    if (plain.parametersFor("key") != wanted)
        return reasons::formOverrideIncomplete();
    return fields;
}

void OverrideDialog::send()
{
    const QByteArray key = m_key->text().trimmed().toUtf8();
    const Result<QByteArray> fields = differing(m_constraint, m_parameters->read());
    if (key.isEmpty() || !fields.ok()) {
        say(key.isEmpty() ? tr("Which key?") : reasonText(fields.error().reason));
        return;
    }
    const bool had = std::any_of(m_constraint.overrides.begin(), m_constraint.overrides.end(),
                                 [&](const Override &each) { return each.key == key; });
    if (*fields == none() && !had) {
        say(tr("The key has these limits already."));
        return;
    }
    say({});
    go()->setEnabled(false);
    m_client.overrideBucket(m_constraint.id, key, *fields, m_revision,
                            client::guarded<client::SavedMatcher>(this, [this](Result<client::SavedMatcher> answer) {
        go()->setEnabled(true);
        if (answer.ok()) {
            Q_EMIT saved(*answer);
            accept();
        } else if (answer.error().code == ErrorCode::RevisionMismatch) {
            say(tr("Someone else changed the JobMatcher meanwhile. Close this form to see the current version."));
        } else {
            say(reasonText(answer.error().reason));
        }
    }));
}

} // namespace junban::ui
