#pragma once

#include "core/jobs/operation.h"
#include "ui/base/format.h"

#include <QCoreApplication>

namespace junban::ui {

// Operations in words.
class OperationTexts
{
    Q_DECLARE_TR_FUNCTIONS(Operation)

public:
    // "retry", for a list.
    static QString action(BulkAction action);
    static QString state(OperationState state);
    // What it does, with how many jobs: "retry 12 jobs".
    static QString what(const BulkOperation &operation);
    // Of which jobs it is: "failed · mail.send"; empty when it is of all, or that is not known.
    // Of more than three selected ones the first is named: "mail.send 0190a1b2-c3d4… and 4 others"; `firstName` may be empty.
    static QString jobs(const Selection &selection, const QString &cause, qint64 count, const QString &firstName);
    // "Retry 12 jobs?", and what the button says.
    static QString question(BulkAction action, qint64 jobs);
    static QString button(BulkAction action, qint64 jobs);
    // "Retrying: 9,734 of 12,480, 3 left as they were".
    static QString progress(const BulkOperation &operation, const Format &format);
    // What came of one that has ended, and has not been taken back.
    static QString outcome(const BulkOperation &operation, const Format &format);
    // "181 jobs were not reached", of one that was stopped; empty: it has been through all.
    static QString unreached(const BulkOperation &operation);
    // Why it left a job as it was.
    static QString reason(const QByteArray &word);
    // The same of all of them: "3 running, 2 gone".
    static QString skipped(const BulkOperation &operation, const Format &format);
    // What a dry run says, a line each.
    static QStringList preview(const OperationPreview &preview, const Format &format);
};

} // namespace junban::ui
