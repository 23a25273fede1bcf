#include "core/cel/program.h"

#include "core/base/reasons/cel.h"
#include "core/cel/code.h"

namespace junban::cel {

const QByteArray &Program::text() const
{
    return m_code->text;
}

Problem Program::explain(const Value &error) const
{
    const qint32 index = error.node() >= 0 ? error.node() : m_code->root;
    const Node &node = m_code->node(index);
    Reason reason = causeReason(error.cause());
    if (error.cause() == Cause::NoSuchField && !node.text.isEmpty())
        reason = reasons::evaluationFieldMissing(node.text);
    return problemAt(m_code->text, node.offset, node.length, std::move(reason));
}

} // namespace junban::cel
