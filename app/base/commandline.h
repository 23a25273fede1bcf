#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QByteArrayList>
#include <QList>
#include <memory>
#include <optional>

namespace CLI {
class App;
}

namespace junban::app {

// The flags and words of a program, or of one of its verbs. First they are described; after CommandLine::read() they have values.
class Command
{
public:
    enum class Takes { Nothing, One, Many };
    enum class Need { Must, May };

    explicit Command(CLI::App &app) : m_app(app) {}

    // `flag` is "--key KEY" or, without a value, "--force".
    void flag(const QByteArray &flag, Takes takes, const QByteArray &text) noexcept;
    void word(const QByteArray &name, Takes takes, Need need, const QByteArray &text) noexcept;
    // Adds a paragraph to the text below the flags in its help.
    void note(const QByteArray &text);

    // `name` is the name alone: "--key", "FILE".
    bool has(const QByteArray &name) const { return !values(name).isEmpty(); }
    // One value for each time it was given; so also for a flag without a value.
    QList<QByteArray> values(const QByteArray &name) const;
    // The program and its verbs as a user types them: "junbanctl schedules run".
    QByteArray path() const;

private:
    CLI::App &m_app;
};

// The command line of a program. CLI11 reads it and formats the help. Only commandline.cpp includes CLI11, which takes long to compile; no
// exception leaves that file. Describing a flag or a word twice ends the program at once. Threads: the main one.
class CommandLine
{
public:
    CommandLine(const char *program, const char *description);
    ~CommandLine();

    // The program's own flags, before any verb.
    Command program() { return Command(*m_app); }
    // `name` can be "schedules run": then "schedules" must have been described before.
    Command verb(const QByteArray &name, const char *group, const char *summary) noexcept;

    // Reads the words after the program's name. Returns why they are refused, else nothing. With --help a word may be missing. A word that
    // is not UTF-8 is refused.
    std::optional<Error> read(const QByteArrayList &words);

    // The verb that was given; the program when there was none.
    Command asked() const;
    // Whether --help was given, which the program and all verbs must have; and the help of asked().
    bool asksHelp() { return program().has("--help") || asked().has("--help"); }
    QByteArray help();

private:
    std::unique_ptr<CLI::App> m_app;
};

} // namespace junban::app
