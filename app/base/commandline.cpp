#include "app/base/commandline.h"

#include "core/base/reasons/start.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace junban::app {

namespace {

constexpr int flag_columns = 30;

CLI::App *askedBelow(CLI::App *app)
{
    const std::vector<CLI::App *> verbs = app->get_subcommands();
    return verbs.empty() ? app : askedBelow(verbs.front());
}

QByteArray pathOf(const CLI::App &app)
{
    const QByteArray name = QByteArray::fromStdString(app.get_name());
    return app.get_parent() ? pathOf(*app.get_parent()) + ' ' + name : name;
}

// Of an option with a wrong number of values. CLI11's own message `said` begins with the option's name, with or without dashes.
Error wrongValues(const QByteArray &said)
{
    const bool missing = said.endsWith("missing");
    const QByteArray name = said.left(said.indexOf(missing ? ':' : ' '));
    const QByteArray option = name.startsWith("--") ? name : "--" + name;
    return missing ? reasons::optionValueMissing(option) : reasons::optionValueUnexpected(option);
}

// With what is not ASCII as \xff.
QByteArray visible(const QByteArray &word)
{
    QByteArray text;
    for (const char byte : word)
        text += byte >= ' ' && byte < 0x7f ? QByteArray(1, byte) : "\\x" + QByteArray(1, byte).toHex();
    return text;
}

// The first word that neither the program nor the verb knows; nothing when they know all.
std::optional<Error> unknown(const CLI::App &program, const CLI::App &asked)
{
    const std::vector<std::string> before = program.remaining();
    for (const std::string &rest : program.remaining(true)) {
        const QByteArray word = QByteArray::fromStdString(rest);
        if (word == "--")
            continue;
        if (!word.startsWith('-'))
            return asked.get_subcommands({}).empty() ? reasons::wordUnexpected(word) : reasons::verbUnknown(word);
        const QByteArray name = word.left(word.indexOf('=') < 0 ? word.size() : word.indexOf('='));
        const bool early = &asked != &program && !before.empty() && asked.get_option_no_throw(name.toStdString());
        return early ? reasons::optionBeforeVerb(name) : reasons::optionUnknown(name);
    }
    return {};
}

} // namespace

void Command::flag(const QByteArray &flag, Takes takes, const QByteArray &text) noexcept
{
    const QList<QByteArray> parts = flag.split(' ');
    if (takes == Takes::Nothing) {
        m_app.add_flag(parts[0].toStdString())->description(text.toStdString())->disable_flag_override();
        return;
    }
    CLI::Option *option = m_app.add_option(parts[0].toStdString())->description(text.toStdString());
    option->option_text(parts[1].toStdString());
    option->multi_option_policy(takes == Takes::One ? CLI::MultiOptionPolicy::TakeLast : CLI::MultiOptionPolicy::TakeAll);
}

void Command::word(const QByteArray &name, Takes takes, Need need, const QByteArray &text) noexcept
{
    CLI::Option *option = m_app.add_option(name.toStdString())->description(text.toStdString())->option_text(" ");
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->required(need == Need::Must);
    // Not CLI11's "any number", which would split a word like [a,b].
    if (takes == Takes::Many)
        option->expected(CLI::detail::expected_max_vector_size, CLI::detail::expected_max_vector_size);
}

void Command::note(const QByteArray &text)
{
    const std::string before = m_app.get_footer();
    m_app.footer(before.empty() ? text.toStdString() : before + "\n\n" + text.toStdString());
}

QList<QByteArray> Command::values(const QByteArray &name) const
{
    QList<QByteArray> found;
    if (const CLI::Option *option = m_app.get_option_no_throw(name.toStdString())) {
        for (const std::string &value : option->results())
            found.append(QByteArray::fromStdString(value));
    }
    return found;
}

QByteArray Command::path() const
{
    return pathOf(m_app);
}

CommandLine::CommandLine(const char *program, const char *description)
    : m_app(std::make_unique<CLI::App>(description, program))
{
    m_app->set_help_flag(); // removes CLI11's --help, which would hide errors in the other words; ours is a usual flag
    m_app->require_subcommand(0, 1);
    const auto formatter = std::make_shared<CLI::Formatter>();
    formatter->column_width(flag_columns);
    formatter->label("Positionals", "Words");
    formatter->label("OPTIONS", "options");
    formatter->label("SUBCOMMAND", "VERB");
    m_app->formatter(formatter);
}

CommandLine::~CommandLine() = default;

Command CommandLine::verb(const QByteArray &name, const char *group, const char *summary) noexcept
{
    CLI::App *above = m_app.get();
    const QList<QByteArray> words = name.split(' ');
    for (const QByteArray &word : words.first(words.size() - 1))
        above = above->get_subcommand(word.toStdString());
    CLI::App *verb = above->add_subcommand(words.last().toStdString(), summary)->group(group)->footer(std::string());
    return Command(*verb);
}

std::optional<Error> CommandLine::read(const QByteArrayList &words)
{
    std::vector<std::string> backwards; // CLI11 needs the words in reverse order
    for (const QByteArray &word : words) {
        if (!word.isValidUtf8())
            return reasons::wordNotUtf8(visible(word));
        // After "--key=" CLI11 would take the next word as the value.
        const bool empty = word.startsWith("--") && word.indexOf('=') == word.size() - 1;
        backwards.push_back((empty ? word.chopped(1) : word).toStdString());
        if (empty)
            backwards.push_back({});
    }
    std::reverse(backwards.begin(), backwards.end());
    std::optional<Error> wrong;
    try {
        m_app->parse(std::move(backwards));
        return {};
    } catch (const CLI::ArgumentMismatch &error) {
        return wrongValues(error.what());
    } catch (const CLI::RequiredError &error) { // "NAME is required"
        const QByteArray said = error.what();
        wrong = reasons::optionRequired(said.left(said.indexOf(' ')));
    } catch (const CLI::Error &error) {
        wrong = reasons::optionUsage(error.what());
    }
    if (const std::optional<Error> word = unknown(*m_app, *askedBelow(m_app.get())))
        return word;
    return asksHelp() ? std::nullopt : wrong;
}

Command CommandLine::asked() const
{
    return Command(*askedBelow(m_app.get()));
}

QByteArray CommandLine::help()
{
    m_app->require_subcommand(1); // so that the usage says VERB and not [VERB]
    return QByteArray::fromStdString(m_app->help());
}

} // namespace junban::app
