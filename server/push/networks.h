#pragma once

#include "core/base/result.h"

#include <QHostAddress>
#include <QList>
#include <QPair>
#include <QStringList>

namespace junban::push {

// Where workers may be that this master calls: the machine itself, or the networks that its operator names. Addresses of one link, of many
// machines, of none, and those at which clouds keep secrets are never called.
class Networks
{
public:
    // This machine alone.
    Networks();
    // Each an address or a network like 10.0.0.0/8. Errors: InvalidField.
    static Result<Networks> of(const QStringList &texts);

    bool allows(const QHostAddress &address) const;

private:
    QList<QPair<QHostAddress, int>> m_networks;
};

} // namespace junban::push
