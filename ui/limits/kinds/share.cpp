#include "ui/limits/kinds/kindview.h"

#include "ui/base/look.h"
#include "ui/base/text.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLocale>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>

namespace junban::ui {

namespace {

enum { KeyColumn, PercentColumn, MinColumn, MaxColumn, columnCount };
constexpr int rowsShown = 5;

// A capacity and who gets how much of it: a row for each key, the last for all others.
class ShareForm : public ParameterForm
{
public:
    explicit ShareForm(QWidget *parent)
        : ParameterForm(parent)
        , m_capacity(whole(0, limits::constraint_limit_max))
        , m_borrow(check(ParameterForm::tr("A key may use what others leave")))
        , m_table(new QTableWidget(0, columnCount, this))
    {
        m_table->setHorizontalHeaderLabels({ParameterForm::tr("Key"), ParameterForm::tr("Percent"), ParameterForm::tr("At least"),
                                            ParameterForm::tr("At most")});
        m_table->setAccessibleName(ParameterForm::tr("Shares by key"));
        m_table->verticalHeader()->hide();
        m_table->horizontalHeader()->setSectionResizeMode(KeyColumn, QHeaderView::Stretch);
        for (int column = PercentColumn; column < columnCount; ++column)
            m_table->setColumnWidth(column, characterWidth(fontMetrics()) * 10);
        m_table->setMinimumHeight(fontMetrics().height() * 2 * rowsShown);
        auto *add = new QPushButton(ParameterForm::tr("Add a key"), this);
        connect(add, &QPushButton::clicked, this, [this] {
            addRow(m_table->rowCount() - 1, {}, {});
            m_table->setCurrentCell(m_table->rowCount() - 2, KeyColumn);
            m_table->editItem(m_table->currentItem());
        });
        connect(m_table, &QTableWidget::itemChanged, this, &ParameterForm::changed);
        m_rows->addRow(ParameterForm::tr("Capacity"), m_capacity);
        m_rows->addRow(ParameterForm::tr("Shares"), m_table);
        m_rows->addRow(QString(), add);
        m_rows->addRow(QString(), m_borrow);
        set(ShareParameters{.capacity = 1}); // none would hold every job
    }
    void set(const Parameters &parameters) override
    {
        const auto &share = std::get<ShareParameters>(parameters);
        m_capacity->setValue(int(share.capacity));
        m_borrow->setChecked(share.borrow);
        m_table->setRowCount(0);
        for (const auto &[key, part] : share.shares)
            addRow(m_table->rowCount(), QString::fromUtf8(key), part);
        addRow(m_table->rowCount(), ParameterForm::tr("(all others)"), share.otherwise);
        const QSignalBlocker quiet(m_table);
        m_table->item(m_table->rowCount() - 1, KeyColumn)->setFlags(Qt::ItemIsSelectable);
    }
    Parameters read() const override
    {
        ShareParameters share;
        share.capacity = m_capacity->value();
        share.borrow = m_borrow->isChecked();
        const int others = m_table->rowCount() - 1;
        for (int row = 0; row < others; ++row) {
            const QByteArray key = m_table->item(row, KeyColumn)->text().trimmed().toUtf8();
            if (!key.isEmpty())
                share.shares.append({key, shareAt(row)});
        }
        share.otherwise = shareAt(others);
        return share;
    }

private:
    void addRow(int row, const QString &key, const ShareOf &share)
    {
        const QSignalBlocker quiet(m_table);
        m_table->insertRow(row);
        m_table->setItem(row, KeyColumn, new QTableWidgetItem(key));
        m_table->setItem(row, PercentColumn, new QTableWidgetItem(share.percent ? QLocale().toString(*share.percent) : QString()));
        m_table->setItem(row, MinColumn, new QTableWidgetItem(share.min ? QString::number(*share.min) : QString()));
        m_table->setItem(row, MaxColumn, new QTableWidgetItem(share.max ? QString::number(*share.max) : QString()));
    }
    ShareOf shareAt(int row) const
    {
        ShareOf share;
        const auto text = [&](int column) { return m_table->item(row, column)->text().trimmed(); };
        if (!text(PercentColumn).isEmpty())
            share.percent = QLocale().toDouble(text(PercentColumn));
        if (!text(MinColumn).isEmpty())
            share.min = text(MinColumn).toLongLong();
        if (!text(MaxColumn).isEmpty())
            share.max = text(MaxColumn).toLongLong();
        return share;
    }

    QSpinBox *m_capacity;
    QCheckBox *m_borrow;
    QTableWidget *m_table;
};

QString shareText(const ShareOf &share)
{
    QStringList parts;
    if (share.percent)
        parts.append(ConstraintTexts::tr("%1 %", "percent").arg(QLocale().toString(*share.percent)));
    if (share.min)
        parts.append(ConstraintTexts::tr("at least %1").arg(*share.min));
    if (share.max)
        parts.append(ConstraintTexts::tr("at most %1").arg(*share.max));
    return parts.isEmpty() ? ConstraintTexts::tr("any part") : parts.join(QLatin1Char(' '));
}

} // namespace

template<>
KindView viewOf<ShareParameters>()
{
    return {ConstraintTexts::tr("Shares"), ConstraintTexts::tr("A capacity of running jobs is divided among keys."), makeForm<ShareForm>};
}

template<>
QString textOf(const ShareParameters &share, const Format &format)
{
    QStringList parts;
    for (const auto &[key, part] : share.shares)
        parts.append(ConstraintTexts::tr("%1 %2", "a key and its share").arg(shown(key), shareText(part)));
    parts.append(ConstraintTexts::tr("others %1").arg(shareText(share.otherwise)));
    return ConstraintTexts::tr("%1 shared: %2").arg(format.count(share.capacity), listed(parts))
        + (share.borrow ? ConstraintTexts::tr(", may borrow") : QString());
}

} // namespace junban::ui
