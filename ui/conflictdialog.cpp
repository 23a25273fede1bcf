#include "ui/conflictdialog.h"

#include "ui/constrainttexts.h"
#include "ui/emptystate.h"
#include "ui/look.h"
#include "ui/recordlist.h"
#include "ui/text.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

QString textOf(const QList<MatcherRow> &rows, const QByteArray &key)
{
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const MatcherRow &each) { return each.key == key; });
    return row == rows.end() ? QString() : row->text;
}

} // namespace

ConflictDialog::ConflictDialog(const JobMatcher &base, const JobMatcher &theirs, const JobMatcher &mine, const Format &format,
                               QWidget *window)
    : QDialog(window)
    , m_list(new RecordList({{tr("What differs"), 18}, {tr("When you began"), 34}, {tr("Now, by %1").arg(shown(theirs.editedBy)), 34},
                             {tr("Yours"), 34}}, tr("Differences"), this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Changed by someone else"));
    QList<Record> records;
    QList<QByteArray> told;
    const QList<MatcherRow> sides[] = {matcherRows(base, format), matcherRows(theirs, format), matcherRows(mine, format)};
    for (const QList<MatcherRow> &side : sides) {
        for (const MatcherRow &row : side) {
            const QString was = textOf(sides[0], row.key), now = textOf(sides[1], row.key), will = textOf(sides[2], row.key);
            if (told.contains(row.key) || (was == now && now == will))
                continue;
            told.append(row.key);
            const bool both = was != now && was != will && now != will;
            Record record{row.key, {{row.name, {}, both ? Look::icon(Glyph::Warning) : QIcon(), both ? Tone::Amber : Tone::Plain}}};
            for (const QString &text : {was, now, will})
                record.cells.append({text.isEmpty() ? tr("none") : text, {}, {}, text.isEmpty() ? Tone::Faint : Tone::Plain});
            records.append(record);
        }
    }
    m_list->setRecords(records);
    m_list->empty()->say(Glyph::Check, tr("There is no difference"), {});
    auto *head = plainLabel(tr("Revision %1 was saved at %2 while you were editing. What you save now would replace it.")
                                .arg(QString::number(theirs.revision), format.dateTime(theirs.editedAt_ms)), this);
    head->setWordWrap(true);
    auto *buttons = new QDialogButtonBox(this);
    m_mine = buttons->addButton(tr("Save &mine over it"), QDialogButtonBox::DestructiveRole);
    m_theirs = buttons->addButton(tr("Take &theirs"), QDialogButtonBox::ActionRole);
    QPushButton *back = buttons->addButton(tr("Go on editing"), QDialogButtonBox::RejectRole);
    back->setDefault(true);
    connect(m_mine, &QPushButton::clicked, this, [this] {
        Q_EMIT mineWanted();
        accept();
    });
    connect(m_theirs, &QPushButton::clicked, this, [this] {
        Q_EMIT theirsWanted();
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(head);
    layout->addWidget(m_list, 1);
    layout->addWidget(buttons);
    const int line = fontMetrics().height();
    resize(line * 60, line * 24);
}

} // namespace junban::ui
