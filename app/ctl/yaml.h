#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

// YAML 1.2 as people write it into files, and MessagePack. Scalars without quotes are null, true, false and numbers by the core schema;
// anything else is text, so `no` and `22:00` are. A map's keys are text. libyaml reads and writes it.
namespace junban::app::yaml {

// The documents of a text, each as one MessagePack value; an empty one is left out. Errors: Malformed with line and column; TooLarge.
Result<QList<QByteArray>> documents(QByteArrayView text);

// One document in block style, without "---". Texts that other readers of YAML would take for something else have quotes. Characters that
// could play with a terminal are escaped. A float that is a whole number is written as an integer, which the API takes as well.
QByteArray fromMsgpack(QByteArrayView value);

} // namespace junban::app::yaml
