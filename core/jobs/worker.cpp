#include "core/jobs/worker.h"

#include "core/base/reasons/requests.h"
#include "core/jobs/jobfields.h"
#include "core/limits.h"
#include "core/msgpack/reasonfields.h"

#include <QUrl>

namespace junban {

namespace {

constexpr Field troubleFields[] = {field::text<&Reason::text>("trouble").rare(), field::beside(reasonTable)};
constexpr TableOf<Reason> troubleTable{nullptr, troubleFields};

constexpr Field toldFields[] = {
    field::listOf<&WorkerTold::names, codecs::name>("names", limits::name_bytes_max).rare(),
    field::listOf<&WorkerTold::labels, codecs::name>("labels", limits::name_bytes_max).atMost(limits::worker_labels_max).rare(),
    field::caption<&WorkerTold::version>("version", limits::worker_version_bytes_max).rare(),
};

constexpr Field registrationFields[] = {
    field::caption<&WorkerRegistration::url>("url", limits::worker_url_bytes_max).needed(),
    field::listOf<&WorkerRegistration::names, codecs::name>("names", limits::name_bytes_max).atMost(limits::claim_names_max).rare(),
    field::integer<&WorkerRegistration::slots>("slots", 1, limits::worker_slots_max).needed(),
    field::listOf<&WorkerRegistration::labels, codecs::name>("labels", limits::name_bytes_max).atMost(limits::worker_labels_max).rare(),
    field::caption<&WorkerRegistration::version>("version", limits::worker_version_bytes_max).rare(),
    field::caption<&WorkerRegistration::secret>("secret", limits::worker_secret_bytes_max).rare(),
    field::word<&WorkerRegistration::encoding>("encoding", workerEncodingWords).rare(),
    field::duration<&WorkerRegistration::lease_ms>("lease", limits::lease_s_min, limits::timeout_s_max).rare(),
};

constexpr Field seenFields[] = {
    registrationFields[0], registrationFields[1], registrationFields[2], registrationFields[3], registrationFields[4],
};

bool checkRegistration(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &seen)
{
    const auto &registration = *static_cast<const WorkerRegistration *>(object);
    const QUrl url(QString::fromUtf8(registration.url), QUrl::StrictMode);
    const bool known = url.scheme() == QLatin1String("http") || url.scheme() == QLatin1String("https");
    if (!url.isValid() || !known || url.host().isEmpty())
        return in.fail({&value.path, "url", -1}, reasons::workerUrlExpected);
    if (!url.userInfo().isEmpty() || url.hasQuery() || url.hasFragment())
        return in.fail({&value.path, "url", -1}, reasons::workerUrlPlain);
    if (seen.has("names") && registration.names.isEmpty())
        return in.fail({&value.path, "names", -1}, reasons::namesEmpty);
    if (seen.has("secret") && registration.secret.size() < limits::worker_secret_bytes_min)
        return in.fail({&value.path, "secret", -1}, reasons::workerSecretTooShort, limits::worker_secret_bytes_min);
    return true;
}

constexpr Field listedFields[] = {
    field::name<&Worker::worker>("worker", limits::name_bytes_max).needed(),
    field::word<&Worker::kind>("kind", workerKindWords).needed(),
    field::word<&Worker::state>("state", workerStateWords).needed(),
    field::beside<&Worker::told>(workerToldTable),
    field::time<&Worker::firstSeen_ms>("first_seen"),
    field::time<&Worker::lastContact_ms>("last_contact"),
    field::integer<&Worker::running>("running", 0),
    field::listOf<&Worker::jobs, codecs::jobId>("jobs").atMost(limits::worker_jobs_shown),
    field::integer<&Worker::succeeded>("succeeded", 0),
    field::integer<&Worker::failed>("failed", 0),
    field::duration<&Worker::p50_ms>("p50", 0, limits::timeout_s_max).rare(),
    field::duration<&Worker::p95_ms>("p95", 0, limits::timeout_s_max).rare(),
    field::name<&Worker::url>("url", limits::worker_url_bytes_max).rare(),
    field::integer<&Worker::slots>("slots", 1, limits::worker_slots_max).rare(),
    field::boolean<&Worker::isSigned>("signed").rare(),
    field::beside<&Worker::trouble>(troubleTable),
    field::time<&Worker::troubleAt_ms>("trouble_at").rare(),
};
constexpr Field workerPageFields[] = {
    field::list<&WorkerPage::workers>("workers", workerTable).atMost(limits::page_rows_max).needed(),
    field::text<&WorkerPage::next>("next").rare(),
    field::boolean<&WorkerPage::complete>("complete").needed(),
};

} // namespace

constinit const TableOf<WorkerTold> workerToldTable{nullptr, toldFields};
constinit const TableOf<WorkerRegistration> newWorkerTable{"NewWorker", registrationFields, checkRegistration};
constinit const TableOf<WorkerRegistration> workerSeenTable{nullptr, seenFields};
constinit const TableOf<Worker> workerTable{"Worker", listedFields};
constinit const TableOf<WorkerPage> workerPageTable{"WorkerPage", workerPageFields};

} // namespace junban
