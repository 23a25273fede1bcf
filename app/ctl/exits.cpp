#include "app/ctl/exits.h"

#include <QList>
#include <algorithm>
#include <iterator>

namespace junban::app::exits {

namespace {

constexpr Status common[] = {
    {done, "done", "what was asked is done"},
    {refused, "refused", "the master refused it, no master answered, or a question was declined; of several jobs: one was refused"},
    {misused, "misused", "used wrongly: an unknown option, a value out of its range, a file that cannot be read"},
    {unwritten, "unwritten", "standard output could not be written to its end"},
};

// The words are the reasons of a job that failed or was cancelled.
constexpr Status jobEnds[] = {
    {done, "success", "the job succeeded; its result is printed, also when it is null"},
    {failed, "failed", "the last attempt failed"},
    {11, "timeout", "the time of the last attempt, of its lease or of the message that it waited for ran out"},
    {12, "poison", "three leases in a row ran out in silence"},
    {13, "expired", "the job was not started within its expires_in"},
    {14, "dependency", "a job that it depends on failed or was cancelled"},
    {15, "fsck", "fsck found the job in no state at all"},
    {cancelled, "cancelled", "somebody cancelled the job, or a window did"},
    {21, "replaced", "a newer job took its place"},
    {22, "dropped", "newer jobs took its place in a full backlog"},
    {23, "deleted", "the job was put into the trash before it had ended"},
    {gone, "gone", "the job succeeded, and its result was collected before, discarded, has expired or was not kept"},
    {pending, "pending", "the job has not ended"},
    {unknown, "unknown", "there is no such job, or not for this token"},
};

constexpr Status operationEnds[] = {
    {done, "done", "the operation has ended, or with --dry-run its preview is shown"},
    {stopped, "stopped", "the operation was stopped before its end"},
};

constexpr Status applied[] = {
    {done, "done", "the matchers are as the files say, or with --dry-run the differences are shown"},
    {refused, "refused", "a matcher was refused, and so was what follows it; no master answered, or the question was declined"},
};

constexpr Status doctorEnds[] = {
    {done, "healthy", "nothing was found"},
    {refused, "found", "something was found, or no master answered"},
};

constexpr Status fsckEnds[] = {
    {done, "healthy", "nothing was found"},
    {refused, "found", "something was found, repaired or not"},
    {misused, "misused", "used wrongly, or the master or Redis was not reached"},
};

constexpr Status exportEnds[] = {
    {done, "done", "the whole namespace is written"},
    {refused, "unfit", "there is no such namespace, or it was changed meanwhile"},
    {misused, "misused", "used wrongly, Redis was not reached, or the file cannot be written"},
};

constexpr Status importEnds[] = {
    {done, "done", "the namespace is there, and fsck found nothing"},
    {refused, "unfit", "the file is damaged or none of these, the namespace is not empty, or fsck found something"},
    {misused, "misused", "used wrongly, Redis was not reached, or the file cannot be read"},
};

constexpr Status casesEnds[] = {
    {done, "passed", "all cases passed"},
    {refused, "failed", "some cases failed"},
};

constexpr Status chainEnds[] = {
    {done, "whole", "the chain is whole"},
    {refused, "broken", "a line was changed, removed, put in or moved"},
};

constexpr Status workEnds[] = {
    {done, "done", "it was stopped by a signal, or with --once no job is left"},
    {refused, "refused", "the master refused a claim for a reason that stays, like an unknown token"},
};

constexpr Status watchEnds[] = {
    {done, "done", "it was stopped by a signal, or its reader has gone"},
    {refused, "refused", "the master refused, or did not answer at the start"},
};

struct Own {
    const char *verb;
    const Status *statuses;
    qsizetype count;
};
template<size_t N>
constexpr Own own(const char *verb, const Status (&statuses)[N])
{
    return {verb, statuses, N};
}
constexpr Own owns[] = {
    own("push", jobEnds), own("result", jobEnds), own("failures retry", operationEnds), own("matchers apply", applied),
    own("doctor", doctorEnds), own("fsck", fsckEnds), own("export", exportEnds), own("import", importEnds), own("cel", casesEnds),
    own("audit verify", chainEnds), own("work", workEnds), own("changes", watchEnds),
};

// The verb's own, and those of every verb that it has no other meaning for.
QList<Status> all(const QByteArray &verb)
{
    QList<Status> found(std::begin(common), std::end(common));
    const auto *const mine = std::find_if(std::begin(owns), std::end(owns), [&](const Own &one) { return verb == one.verb; });
    for (qsizetype i = 0; mine != std::end(owns) && i < mine->count; ++i) {
        const Status &its = mine->statuses[i];
        const auto same = std::find_if(found.begin(), found.end(), [&its](const Status &one) { return one.status == its.status; });
        if (same == found.end())
            found.append(its);
        else if (verb != "push") // which is done without --wait, too
            *same = its;
    }
    return found;
}

QByteArray rows(const QList<Status> &statuses)
{
    QByteArray text;
    for (const Status &one : statuses)
        text += "\n  " + QByteArray::number(one.status).leftJustified(3) + QByteArray(one.word).leftJustified(11) + one.meaning;
    return text;
}

} // namespace

const Status &of(int status)
{
    const auto is = [status](const Status &one) { return one.status == status; };
    const auto *const end = std::find_if(std::begin(jobEnds), std::end(jobEnds), is);
    return end == std::end(jobEnds) ? *std::find_if(std::begin(common), std::end(common) - 1, is) : *end;
}

const Status &ofJob(JobState state, const QByteArray &reason)
{
    const auto is = [&reason](const Status &one) { return reason == one.word && one.status >= failed && one.status < gone; };
    const auto *const found = std::find_if(std::begin(jobEnds), std::end(jobEnds), is);
    return found != std::end(jobEnds) ? *found : of(state == JobState::Cancelled ? cancelled : failed);
}

QByteArray textOf(const QByteArray &verb)
{
    QByteArray title = "Exit statuses:";
    if (verb == "push")
        title = "Exit statuses, from 10 on with --wait only:";
    return title + rows(all(verb));
}

QByteArray textOfAll()
{
    QByteArray text = "Exit statuses of every verb:" + rows(QList<Status>(std::begin(common), std::end(common)));
    text += "\n\nExit statuses of 'push --wait' and 'result':" + rows(QList<Status>(std::begin(jobEnds), std::end(jobEnds)));
    for (const Own &one : owns) {
        const QList<Status> its(one.statuses, one.statuses + one.count);
        if (one.statuses != jobEnds)
            text += "\n\nExit statuses of '" + QByteArray(one.verb) + "', besides:" + rows(its);
    }
    return text;
}

} // namespace junban::app::exits
