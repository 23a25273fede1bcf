#include "ui/shell/surroundings.h"

#include "ui/base/palettes.h"
#include "ui/shell/systemappearance.h"
#include "ui/shell/windowstyle.h"

#include <QApplication>
#include <QFontDatabase>
#include <QLibraryInfo>
#include <QToolTip>

namespace junban::ui {

namespace {

// Japanese texts have Latin words and digits beside them. In a font that has both they are of the same weight; two fonts differ.
QFont fontFor(const QLocale &locale, const QFont &first)
{
    QFont font = first;
    if (locale.language() != QLocale::Japanese)
        return font;
    const QStringList known = QFontDatabase::families(QFontDatabase::Japanese);
    for (const char *family : {"Noto Sans CJK JP", "Noto Sans JP", "IPAexGothic", "BIZ UDPGothic", "Yu Gothic UI", "Hiragino Sans"}) {
        if (known.contains(QLatin1String(family))) {
            font.setFamily(QLatin1String(family));
            break;
        }
    }
    return font;
}

QFont platformFont()
{
    static const QFont font = QApplication::font(); // before this class has set one
    return font;
}

} // namespace

Surroundings::Surroundings(Preferences &preferences, QObject *parent)
    : QObject(parent)
    , m_preferences(preferences)
    , m_system(new SystemAppearance(QGuiApplication::palette(), this))
{
    QApplication::setStyle(new WindowStyle);
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/junban.svg")));
    dress();
    translate();
    connect(&m_preferences, &Preferences::appearanceChanged, this, &Surroundings::dress);
    connect(m_system, &SystemAppearance::changed, this, &Surroundings::dress);
}

Surroundings::~Surroundings()
{
    QCoreApplication::removeTranslator(&m_own);
    QCoreApplication::removeTranslator(&m_qt);
}

void Surroundings::dress()
{
    const Appearance wanted = m_preferences.appearance();
    const bool dark = wanted == Appearance::Dark || (wanted == Appearance::System && m_system->isDark());
    const QPalette palette = dark ? darkPalette() : lightPalette();
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
}

void Surroundings::translate()
{
    QCoreApplication::removeTranslator(&m_own);
    QCoreApplication::removeTranslator(&m_qt);
    const QLocale locale = m_preferences.locale();
    QLocale::setDefault(locale);
    QApplication::setFont(fontFor(locale, platformFont()));
    // English has a translation file, too, for singular and plural: "1 job", "2 jobs".
    const bool known = m_own.load(locale, QStringLiteral("junban"), QStringLiteral("_"), QStringLiteral(":/i18n"))
        || m_own.load(QStringLiteral(":/i18n/junban_en.qm"));
    if (known)
        QCoreApplication::installTranslator(&m_own);
    if (m_qt.load(locale, QStringLiteral("qtbase"), QStringLiteral("_"), QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(&m_qt);
}

} // namespace junban::ui
