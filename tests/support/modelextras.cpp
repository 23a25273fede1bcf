#include "tests/support/modelstore.h"

#include <QTimer>

// Verbs that the model does not know yet.
namespace junban::test {

namespace {

template<typename T>
void unknown(Callback<T> callback)
{
    QTimer::singleShot(0, [callback = std::move(callback)] { callback(Error{ErrorCode::Internal, "The model does not know this verb."}); });
}

} // namespace

void ModelStore::handOff(HandoffItem, Callback<StateNow> callback) { unknown(std::move(callback)); }
void ModelStore::message(MessageItem, Callback<MessageTaken> callback) { unknown(std::move(callback)); }
void ModelStore::edit(EditItem, Callback<StateNow> callback) { unknown(std::move(callback)); }
void ModelStore::changeGroup(GroupChange, Callback<Group> callback) { unknown(std::move(callback)); }
void ModelStore::group(QByteArray, Callback<Group> callback) { unknown(std::move(callback)); }
void ModelStore::setWindows(JobId, QList<qint64>, Callback<Done> callback) { unknown(std::move(callback)); }

} // namespace junban::test
