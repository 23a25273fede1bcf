#pragma once

#include "core/jobs/job.h"
#include "ui/base/icons.h"

#include <QColor>
#include <QCoreApplication>
#include <QFontMetrics>
#include <QIcon>
#include <QPalette>

namespace junban::ui {

// What a state looks like in all screens: an icon, a word and a colour. Nothing is said by colour alone.
class Look
{
    Q_DECLARE_TR_FUNCTIONS(Look)

public:
    static QString word(JobState state);
    static QString title(JobState state); // the word as a title begins: "Ready"
    static Icon iconOf(JobState state);
    // Readable on the palette's base (contrast at least 4.5:1, tested).
    static QColor color(JobState state, const QPalette &palette);
    static QColor amber(const QPalette &palette);
    static QColor red(const QPalette &palette);
    static QColor green(const QPalette &palette);

    static QIcon icon(JobState state);
    // The icon in the palette's text colour at the time of painting.
    static QIcon icon(Icon icon);

    // The number that the job's last attempt has if all others fail. An operator's retry gives a job its retries again, and its attempts
    // go on counting, so this is not max_retry + 1 for every job.
    static int attemptsPossible(const Job &job);
    // All states in the order of a job's life.
    static QList<JobState> states();
    // Who did something: others than tokens and workers in words, "loopback" → "local API".
    static QString actor(const QByteArray &actor);
    // Why a job failed or was cancelled, in words: "other" → "worker error".
    static QString reason(const QByteArray &word);
    // A message of a job in one line: a worker's first one, and those that masters write in the language of the window.
    static QString message(const QByteArray &message);
    static QString messageLines(const QByteArray &message); // all of it, for a tip
};

// The width of a character of ordinary text. A Japanese font's average is that of its ideographs, of which a text needs half as many.
int characterWidth(const QFontMetrics &metrics);

} // namespace junban::ui
