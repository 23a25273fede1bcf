#include "ui/limits/testpanel.h"

#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/limits/constrainttexts.h"
#include "ui/widgets/jsonedit.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/recordlist.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

QString readText(const cel::TermRead &read)
{
    QString text = TestPanel::tr("%1 is %2 (%3)", "an expression, its value and its type")
                       .arg(shown(read.text), shown(read.value), shown(read.type));
    if (!read.expected.isEmpty())
        text += TestPanel::tr(", compared with %1", "a type").arg(shown(read.expected));
    return text;
}

} // namespace

TestPanel::TestPanel(QWidget *parent)
    : QGroupBox(tr("Test a job"), parent)
    , m_job(new QLineEdit(this))
    , m_argument(new JsonEdit(this))
    , m_verdict(plainLabel({}, this))
    , m_terms(new RecordList({{tr("Operand"), 26}, {tr("True"), 11}, {tr("Values"), 40}}, tr("Operands"), this))
{
    m_job->setPlaceholderText(tr("Job ID, or a name such as mail.send"));
    m_job->setClearButtonEnabled(true);
    m_job->setAccessibleName(tr("Job ID or name"));
    m_argument->setPlaceholderText(tr("Argument (JSON)"));
    m_argument->setAccessibleName(tr("Argument (JSON)"));
    m_argument->setFixedHeight(fontMetrics().lineSpacing() * 2 + fontMetrics().height());
    m_verdict->setWordWrap(true);
    m_terms->setMinimumHeight(fontMetrics().lineSpacing() * 6);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_job);
    layout->addWidget(m_argument);
    layout->addWidget(m_verdict);
    layout->addWidget(m_terms, 1);
    connect(m_job, &QLineEdit::textChanged, this, [this] {
        sayJob();
        Q_EMIT changed();
    });
    connect(m_argument, &QPlainTextEdit::textChanged, this, [this] {
        sayJob();
        Q_EMIT changed();
    });
    sayJob();
}

void TestPanel::setJob(const QString &text, const QString &argument)
{
    m_argument->setPlainText(argument);
    m_job->setText(text);
}

std::optional<client::TestedJob> TestPanel::job() const
{
    const QByteArray text = m_job->text().trimmed().toUtf8();
    const Result<QByteArray> argument = m_argument->bytes();
    client::TestedJob job;
    job.id = JobId::fromText(text);
    if (text.isEmpty() || (!job.id && !argument.ok()))
        return {};
    if (!job.id) {
        job.spec.name = text;
        job.spec.argument = *argument;
    }
    return job;
}

// Shows the field for the argument unless a job's id is given, because an existing job has its argument.
void TestPanel::sayJob()
{
    const QByteArray text = m_job->text().trimmed().toUtf8();
    const bool pushed = !JobId::fromText(text);
    m_argument->setVisible(pushed);
    const Result<QByteArray> argument = m_argument->bytes();
    if (pushed && !text.isEmpty() && !argument.ok())
        sayVerdict(reasonText(argument.error().reason), Look::red(palette()));
    else if (text.isEmpty())
        setNote(tr("Shows whether the job matches, and why."));
}

void TestPanel::sayVerdict(const QString &text, const QColor &color)
{
    QPalette colored = palette();
    colored.setColor(QPalette::WindowText, color);
    m_verdict->setPalette(colored);
    m_verdict->setText(text);
}

QString TestPanel::verdict() const
{
    return m_verdict->text();
}

void TestPanel::setNote(const QString &note)
{
    sayVerdict(note, palette().color(QPalette::PlaceholderText));
    m_terms->hide();
}

void TestPanel::setResult(const client::TestedTerms &terms)
{
    if (!terms.fault.isEmpty())
        sayVerdict(tr("It does not match: %1").arg(reasonText(terms.fault)), Look::red(palette()));
    else if (terms.matches)
        sayVerdict(tr("It matches."), Look::green(palette()));
    else
        sayVerdict(tr("It does not match."), Look::red(palette()));
    QList<Record> records;
    for (const cel::Term &term : terms.terms) {
        const Reason &fault = term.place.reason;
        QStringList reads;
        for (const cel::TermRead &read : term.reads)
            reads.append(readText(read));
        if (!fault.isEmpty())
            reads.prepend(reasonText(fault));
        const bool holds = term.holds && fault.isEmpty();
        Record record{QByteArray::number(records.size()), {{shown(term.text)}}};
        record.cells.append({!fault.isEmpty() ? tr("no value") : holds ? tr("yes") : tr("no"), {},
                             Look::icon(holds ? JobState::Succeeded : JobState::Failed), holds ? Tone::Good : Tone::Bad});
        record.cells.append({reads.join(QStringLiteral("; "))});
        records.append(record);
    }
    m_terms->setRecords(records);
    m_terms->setFoot(terms.complete ? QString() : tr("There are more operands than are shown."));
    m_terms->show();
}

} // namespace junban::ui
