#include "ui/shell/dialogs.h"

#include "ui/base/preferences.h"
#include "ui/base/text.h"
#include "ui/widgets/labels.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QIcon>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(Dialogs)
};

QDialog *dialogOver(QWidget *window, const QString &title)
{
    auto *dialog = new QDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    return dialog;
}

QDialogButtonBox *closeButton(QDialog *dialog)
{
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    buttons->button(QDialogButtonBox::Close)->setIcon({}); // the style's own is black on dark
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    return buttons;
}

// Stores the chosen language, and offers the restart that shows it while the window is in another one.
QWidget *restartOffer(Preferences &preferences, QComboBox *language, std::function<void()> restart, QDialog *dialog)
{
    auto *offer = new QWidget(dialog);
    auto *now = new QPushButton(Texts::tr("&Restart the window now"), offer);
    now->setObjectName(QStringLiteral("restart"));
    now->setAutoDefault(false);
    auto *layout = new QVBoxLayout(offer);
    layout->setContentsMargins({});
    layout->addWidget(plainLabel(Texts::tr("The new language is shown after a restart of the window, now or later.\n"
                                           "Jobs, workers and operations continue."), offer));
    layout->addWidget(now, 0, Qt::AlignLeft);
    const auto say = [&preferences, offer] { offer->setVisible(preferences.locale() != QLocale()); };
    QObject::connect(language, &QComboBox::activated, dialog, [&preferences, language, say] {
        preferences.setLanguage(language->currentData().toString());
        say();
    });
    QObject::connect(now, &QPushButton::clicked, dialog, [dialog, restart = std::move(restart)] {
        dialog->accept();
        restart();
    });
    say();
    return offer;
}

} // namespace

// Every choice but the language takes effect at once.
void showSettings(Preferences &preferences, QWidget *window, std::function<void()> restart)
{
    QDialog *dialog = dialogOver(window, Texts::tr("Settings"));
    dialog->setObjectName(QStringLiteral("settings"));
    auto *language = new QComboBox(dialog);
    language->setObjectName(QStringLiteral("language"));
    language->addItem(Texts::tr("System default"), QString());
    // Each language has its own name for itself, for readers who do not know the current language.
    language->addItem(QStringLiteral("English"), QStringLiteral("en"));
    language->addItem(QStringLiteral("日本語"), QStringLiteral("ja"));
    language->setCurrentIndex(std::max(0, language->findData(preferences.language())));
    auto *appearance = new QComboBox(dialog);
    appearance->addItem(Texts::tr("System default"), int(Appearance::System));
    appearance->addItem(Texts::tr("Light"), int(Appearance::Light));
    appearance->addItem(Texts::tr("Dark"), int(Appearance::Dark));
    appearance->setCurrentIndex(appearance->findData(int(preferences.appearance())));
    auto *times = new QComboBox(dialog);
    times->addItem(Texts::tr("Local time"), int(TimesIn::Local));
    times->addItem(Texts::tr("UTC"), int(TimesIn::Utc));
    times->setCurrentIndex(times->findData(int(preferences.timesIn())));

    QObject::connect(appearance, &QComboBox::activated, dialog, [&preferences, appearance] {
        preferences.setAppearance(Appearance(appearance->currentData().toInt()));
    });
    QObject::connect(times, &QComboBox::activated, dialog, [&preferences, times] {
        preferences.setTimesIn(TimesIn(times->currentData().toInt()));
    });
    auto *form = new QFormLayout;
    form->addRow(Texts::tr("&Language"), language);
    form->addRow(Texts::tr("&Appearance"), appearance);
    form->addRow(Texts::tr("&Time zone"), times);
    auto *layout = new QVBoxLayout(dialog);
    layout->addLayout(form);
    layout->addWidget(restartOffer(preferences, language, std::move(restart), dialog));
    layout->addStretch();
    layout->addWidget(closeButton(dialog));
    dialog->open();
}

void showKeys(QWidget *window)
{
    QDialog *dialog = dialogOver(window, Texts::tr("Keys"));
    const std::pair<QString, QString> keys[] = {
        {QStringLiteral("Ctrl+1 … Ctrl+9, Ctrl+0"), Texts::tr("The screens, from the top")},
        {QStringLiteral("Ctrl+F, /"), Texts::tr("Filter the jobs")},
        {QStringLiteral("Ctrl+K"), Texts::tr("Find a command, a job or a name")},
        {QStringLiteral("Ctrl+G"), Texts::tr("Go to a job by its ID")},
        {QStringLiteral("Ctrl+Shift+C"), Texts::tr("Copy a link to what is shown")},
        {QStringLiteral("Ctrl+N"), Texts::tr("Enqueue a new job")},
        {QStringLiteral("F5"), Texts::tr("Refresh and go live")},
        {QStringLiteral("Ctrl+Z"), Texts::tr("Undo, as long as it is offered")},
        {QStringLiteral("Ctrl+I"), Texts::tr("Show or hide the inspector")},
        {QStringLiteral("Ctrl+,"), Texts::tr("Settings")},
        {QStringLiteral("Ctrl+Shift+R"), Texts::tr("Set a reason for your changes")},
        {QStringLiteral("Ctrl+Q"), Texts::tr("Quit")},
        {QStringLiteral("F1, ?"), Texts::tr("These keys")},
        {QStringLiteral("J, K, ↑, ↓"), Texts::tr("In the table: next and previous job")},
        {QStringLiteral("Shift+↑, Shift+↓, Ctrl+A"), Texts::tr("In the table: select several jobs, select all")},
        {QStringLiteral("Enter"), Texts::tr("In the table: open in the inspector")},
        {QStringLiteral("Space"), Texts::tr("In the table: freeze, go live")},
        {QStringLiteral("Esc"), Texts::tr("In the table: drop the selection")},
        {QStringLiteral("R, Shift+R"), Texts::tr("In the table: retry the selected jobs")},
        {QStringLiteral("Del"), Texts::tr("In the table: cancel the selected jobs")},
        {QStringLiteral("S"), Texts::tr("In the table: star the selected jobs")},
        {QStringLiteral("W"), Texts::tr("In the table: why the job is not running")},
        {QStringLiteral("E"), Texts::tr("In the table: edit the selected job")},
        {QStringLiteral("Shift+D"), Texts::tr("In the table: delete the selected jobs")},
        {QStringLiteral("Ctrl+C"), Texts::tr("In the table: copy the IDs")},
        {QStringLiteral("←, →"), Texts::tr("In the chart: read the values of a moment")},
    };
    auto *table = new QTableWidget(int(std::size(keys)), 2, dialog);
    table->setAccessibleName(Texts::tr("Keys"));
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    table->setFrameShape(QFrame::NoFrame);
    table->verticalHeader()->hide();
    table->horizontalHeader()->hide();
    table->horizontalHeader()->setStretchLastSection(true);
    int row = 0, widest = 0;
    for (const auto &[key, text] : keys) {
        table->setItem(row, 0, new QTableWidgetItem(key));
        table->setItem(row, 1, new QTableWidgetItem(text));
        widest = std::max(widest, table->fontMetrics().horizontalAdvance(key));
        ++row;
    }
    const int line = table->fontMetrics().height();
    table->setColumnWidth(0, widest + line * 2);
    table->verticalHeader()->setDefaultSectionSize(line * 3 / 2);
    auto *layout = new QVBoxLayout(dialog);
    layout->addWidget(table, 1);
    layout->addWidget(closeButton(dialog));
    dialog->resize(line * 34, line * 30);
    dialog->open();
}

void showAbout(const QByteArray &masterVersion, QWidget *window)
{
    QDialog *dialog = dialogOver(window, Texts::tr("About Junban"));
    auto *picture = new QLabel(dialog);
    const int side = dialog->fontMetrics().height() * 4;
    picture->setPixmap(QIcon(QStringLiteral(":/icons/junban.svg")).pixmap(QSize(side, side), dialog->devicePixelRatioF()));
    picture->setAccessibleName(Texts::tr("Junban"));
    auto *name = plainLabel(QStringLiteral("Junban " JUNBAN_VERSION), dialog);
    QFont large = name->font();
    large.setBold(true);
    large.setPointSizeF(large.pointSizeF() * 1.4);
    name->setFont(large);
    QStringList lines{Texts::tr("A durable job queue with a cockpit.")};
    if (!masterVersion.isEmpty() && masterVersion != QByteArray(JUNBAN_VERSION))
        lines.append(Texts::tr("The master is version %1.").arg(shown(masterVersion)));
    lines.append(Texts::tr("Qt %1").arg(QString::fromLatin1(qVersion())));
    lines.append(Texts::tr("Free software under the GNU General Public License, version 3."));
    auto *text = plainLabel(lines.join(QLatin1Char('\n')), dialog);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto *right = new QVBoxLayout;
    right->addWidget(name);
    right->addWidget(text);
    right->addStretch();
    auto *top = new QHBoxLayout;
    top->setSpacing(dialog->fontMetrics().height());
    top->addWidget(picture, 0, Qt::AlignTop);
    top->addLayout(right, 1);
    auto *layout = new QVBoxLayout(dialog);
    layout->addLayout(top, 1);
    layout->addWidget(closeButton(dialog));
    dialog->open();
}

} // namespace junban::ui
