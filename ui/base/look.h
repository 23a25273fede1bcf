#pragma once

#include "core/jobs/job.h"
#include "ui/base/icons.h"

#include <QColor>
#include <QCoreApplication>
#include <QIcon>
#include <QPalette>

namespace junban::ui {

// What a state looks like everywhere: an icon, a word and a colour. The colour never stands alone.
class Look
{
    Q_DECLARE_TR_FUNCTIONS(Look)

public:
    static QString word(JobState state);
    static Icon iconOf(JobState state);
    // Readable on the palette's base (contrast at least 4.5:1, tested).
    static QColor color(JobState state, const QPalette &palette);
    static QColor amber(const QPalette &palette);
    static QColor red(const QPalette &palette);
    static QColor green(const QPalette &palette);

    static QIcon icon(JobState state);
    // In the text colour of the palette that is in force when it is painted.
    static QIcon icon(Icon icon);

    // All states in the order of a job's life.
    static QList<JobState> states();
    // The last reason of a failed or cancelled job in words: "other" → "reported by the worker".
    static QString reason(const QByteArray &word);
};

} // namespace junban::ui
