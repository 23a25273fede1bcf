#pragma once

#include "core/base/result.h"

#include <QFileDevice>
#include <memory>

namespace junban::app {

// A file that a verb writes. What is new or a regular file is written beside it and takes its place at the end, whole or not at all, for
// its owner alone. Everything else that has the name is written into: devices, fifos, sockets, and the program's own standard output, as
// "-" or by a name like /dev/stdout. A symbolic link stays, and what it leads to is treated like this. Errors: InvalidField.
class OutputFile
{
public:
    static Result<std::unique_ptr<OutputFile>> open(const QByteArray &path);

    QIODevice &device() { return *m_device; }
    // Whether it is standard output, so that nothing else may be printed there.
    bool isStandardOutput() const { return m_isStandardOutput; }
    // Whether a write has failed.
    bool isBroken() const { return m_device->error() != QFileDevice::NoError; }
    // Brings it into its place.
    Result<Done> commit();

private:
    std::unique_ptr<QFileDevice> m_device;
    QByteArray m_name;               // in refusals
    bool m_isReplaced = false;
    bool m_isStandardOutput = false;
};

} // namespace junban::app
