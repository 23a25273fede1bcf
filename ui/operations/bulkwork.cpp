#include "ui/operations/bulkwork.h"

#include "ui/base/text.h"
#include "ui/operations/operationtexts.h"
#include "ui/widgets/question.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>
#include <QTimer>

namespace junban::ui {

BulkWork::BulkWork(client::ApiClient &client, Preferences &preferences, QWidget *window)
    : QObject(window)
    , m_client(client)
    , m_preferences(preferences)
    , m_window(window)
{
}

void BulkWork::ask(const Wanted &wanted)
{
    const QByteArray key = "prepare " + QByteArray::number(++m_preparing);
    NewOperation operation;
    operation.action = wanted.action;
    operation.selection = wanted.selection;
    const auto came = [this, wanted, key](const Result<OperationPreview> &preview) {
        Q_EMIT working(key, {}, {});
        if (!preview.ok()) {
            if (preview.error().code != ErrorCode::Cancelled)
                Q_EMIT failed(tr("Refused: %1").arg(shown(preview.error().message)));
        } else if (preview->jobs == 0) {
            Q_EMIT failed(tr("None of these jobs allows it: nothing to do."));
        } else {
            confirm(wanted, *preview);
        }
    };
    const client::CallId call = m_client.prepareOperation(operation, client::guarded<OperationPreview>(this, came));
    Q_EMIT working(key, tr("Counting the jobs…"), [this, call] { m_client.cancel(call); });
}

// The pace is set here, because how many jobs there are decides whether one wants it.
void BulkWork::confirm(const Wanted &wanted, const OperationPreview &preview)
{
    if (!m_window)
        return;
    auto *pace = new QWidget(m_window);
    auto *rate = new QSpinBox(pace);
    rate->setObjectName(QStringLiteral("rate"));
    rate->setRange(0, int(limits::operation_rate_max));
    rate->setSpecialValueText(tr("as fast as possible"));
    rate->setSuffix(tr(" jobs a second", "behind a number"));
    rate->setAccessibleName(tr("Pace"));
    auto *layout = new QHBoxLayout(pace);
    layout->setContentsMargins({});
    auto *label = new QLabel(tr("Pace"), pace);
    label->setTextFormat(Qt::PlainText);
    label->setBuddy(rate);
    layout->addWidget(label);
    layout->addWidget(rate, 1);
    QStringList lines = OperationTexts::preview(preview, m_preferences.format());
    if (wanted.action == BulkAction::Delete)
        lines.append(tr("They stay in the trash for 24 hours."));
    if (!wanted.what.isEmpty())
        lines.prepend(wanted.what);
    const Question question{OperationTexts::question(preview.action, preview.jobs), lines.join(QLatin1Char('\n')),
                            OperationTexts::button(preview.action, preview.jobs), Question::Weight::Normal, pace};
    junban::ui::ask(m_window, m_client, question, [this, preview, rate] { // the box still exists
        if (rate->value() > 0)
            startAt(rate->value(), preview);
        else
            start(preview.token);
    });
}

// The pace belongs to the dry run, so there is another one, of the same view.
void BulkWork::startAt(double rate, const OperationPreview &preview)
{
    NewOperation operation;
    operation.action = preview.action;
    operation.view = preview.view;
    operation.rate = rate;
    m_client.prepareOperation(operation, client::guarded<OperationPreview>(this, [this](Result<OperationPreview> prepared) {
        if (prepared.ok())
            start(prepared->token);
        else
            Q_EMIT failed(tr("Refused: %1").arg(shown(prepared.error().message)));
    }));
}

void BulkWork::start(const QByteArray &token)
{
    m_client.startOperation(token, client::guarded<BulkOperation>(this, [this](Result<BulkOperation> operation) {
        if (operation.ok())
            follow(*operation);
        else
            Q_EMIT failed(tr("Refused: %1").arg(shown(operation.error().message)));
    }));
}

void BulkWork::follow(const BulkOperation &operation)
{
    if (operation.state == OperationState::Ended || operation.state == OperationState::Stopped) {
        ended(operation);
        return;
    }
    Q_EMIT working("operation " + operation.id, OperationTexts::progress(operation, m_preferences.format()), [this, id = operation.id] {
        m_client.stopOperation(id, client::guarded<BulkOperation>(this, [this](Result<BulkOperation> answer) {
            if (!answer.ok())
                Q_EMIT failed(tr("Refused: %1").arg(shown(answer.error().message)));
        }));
    });
    QTimer::singleShot(look_ms, this, [this, id = operation.id] { look(id); });
}

void BulkWork::look(const QByteArray &id)
{
    m_client.operation(id, client::guarded<BulkOperation>(this, [this, id](Result<BulkOperation> operation) {
        if (operation.ok())
            follow(*operation);
        else if (operation.error().code == ErrorCode::NotFound)
            Q_EMIT working("operation " + id, {}, {});
        else
            QTimer::singleShot(lookAgain_ms, this, [this, id] { look(id); });
    }));
}

void BulkWork::ended(const BulkOperation &operation)
{
    Q_EMIT working("operation " + operation.id, {}, {});
    Q_EMIT jobsChanged();
    const QString text = OperationTexts::outcome(operation, m_preferences.format());
    if (operation.undoable)
        Q_EMIT done(text, tr("Undo"), [this, id = operation.id] { undo(id); });
    else
        Q_EMIT done(text, {}, {});
}

void BulkWork::undo(const QByteArray &id)
{
    m_client.undoOperation(id, client::guarded<BulkOperation>(this, [this](Result<BulkOperation> operation) {
        if (operation.ok())
            follow(*operation);
        else
            Q_EMIT failed(tr("Refused: %1").arg(shown(operation.error().message)));
    }));
}

} // namespace junban::ui
