#include "ui/limits/condition.h"

#include "ui/base/text.h"
#include "ui/limits/filterbar.h"

#include <QCoreApplication>
#include <QMenu>

namespace junban::ui {

namespace {

constexpr qsizetype shownCharacters = 60;

struct ConditionTexts {
    Q_DECLARE_TR_FUNCTIONS(Condition)
};

// For a menu.
QString shownIn(const Condition &condition)
{
    return withoutKeys(clipped(shown(condition.text()), shownCharacters));
}

void offerWords(QMenu *menu, QAction *before, FilterBar *bar, const Condition &condition, const ConditionUses &uses, const QString &what)
{
    const auto offered = [menu, before](const QString &text, const std::function<void()> &act) {
        auto *action = new QAction(text, menu);
        QObject::connect(action, &QAction::triggered, menu, act);
        QObject::connect(menu, &QMenu::aboutToHide, action, [action] { action->deleteLater(); });
        menu->insertAction(before, action);
    };
    offered(ConditionTexts::tr("Filter by %1").arg(what), [bar, condition] { bar->setFilter(QString::fromUtf8(condition.text())); });
    if (!bar->match().isEmpty())
        offered(ConditionTexts::tr("And %1").arg(what), [bar, condition] { bar->narrow(condition.text()); });
    offered(ConditionTexts::tr("Exclude %1").arg(what), [bar, condition] { bar->narrow(condition.opposite()); });
    if (condition.fixed && uses.newMatcher)
        offered(ConditionTexts::tr("New JobMatcher for %1…").arg(what), [condition, begin = uses.newMatcher] { begin(condition.text()); });
    if (condition.fixed && uses.pause)
        offered(ConditionTexts::tr("Pause jobs with %1…").arg(what), [condition, begin = uses.pause] { begin(condition.text()); });
}

} // namespace

QByteArray Condition::text() const
{
    return is == Is::Among ? value + " in " + field : field + " == " + value;
}

QByteArray Condition::opposite() const
{
    if (is == Is::Among)
        return "!(" + text() + ')';
    const QByteArray differs = field + " != " + value;
    return always ? differs : "(!has(" + field + ") || " + differs + ')';
}

void offerCondition(QMenu *menu, QAction *before, FilterBar *bar, const Condition &condition, const ConditionUses &uses)
{
    offerWords(menu, before, bar, condition, uses, shownIn(condition));
}

void offerConditions(
    QMenu *menu, QAction *before, const QString &title, FilterBar *bar, const QList<Condition> &conditions, const ConditionUses &uses)
{
    if (conditions.isEmpty())
        return;
    auto *all = new QMenu(title, menu);
    for (const Condition &condition : conditions) {
        auto *one = all->addMenu(shownIn(condition));
        offerWords(one, nullptr, bar, condition, uses, ConditionTexts::tr("this"));
    }
    QObject::connect(menu, &QMenu::aboutToHide, all, [all] { all->deleteLater(); });
    menu->insertMenu(before, all);
}

} // namespace junban::ui
