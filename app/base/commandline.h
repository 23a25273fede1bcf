#pragma once

#include <QByteArray>
#include <QList>
#include <QStringList>
#include <memory>
#include <optional>

namespace CLI {
class App;
}

namespace junban::app {

// The flags and words of a program, or of one of its verbs: described first, and asked for their values once the command line was read.
class Command
{
public:
    enum class Takes { Nothing, One, Many };
    enum class Need { Must, May };

    explicit Command(CLI::App &app) : m_app(app) {}

    // "--key KEY", or "--force", which takes nothing.
    void flag(const QByteArray &flag, Takes takes, const QByteArray &text) noexcept;
    void word(const QByteArray &name, Takes takes, Need need, const QByteArray &text) noexcept;
    // What its help says below the flags.
    void note(const QByteArray &text);

    // By the name alone: "--key", "FILE".
    bool has(const QByteArray &name) const { return !values(name).isEmpty(); }
    // One for each time it was given, also of a flag that takes nothing.
    QList<QByteArray> values(const QByteArray &name) const;
    // As a user types it: "junbanctl schedules run".
    QByteArray path() const;

private:
    CLI::App &m_app;
};

// What a program takes on its command line. CLI11 reads it and formats the help. CLI11 takes long to compile and throws, so only
// commandline.cpp knows it, and nothing is thrown out of there; to describe something twice ends the program at once.
class CommandLine
{
public:
    CommandLine(const char *program, const char *description);
    ~CommandLine();

    // The program's own flags, before any verb.
    Command program() { return Command(*m_app); }
    // "schedules run" is a verb below "schedules", which must be there.
    Command verb(const QByteArray &name, const char *group, const char *summary) noexcept;

    // Reads the words behind the program's name; says what is wrong with them. A missing word is no fault when --help is asked for.
    std::optional<QByteArray> read(const QStringList &words);

    // The verb that was asked for; the program when none was.
    Command asked() const;
    // Whether its help is asked for by --help, which the program and the verbs must have, and the help.
    bool asksHelp() { return program().has("--help") || asked().has("--help"); }
    QByteArray help();

private:
    std::unique_ptr<CLI::App> m_app;
};

} // namespace junban::app
