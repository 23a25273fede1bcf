#include "core/cel/program.h"

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
    QByteArray message = causeSentence(error.cause());
    if (error.cause() == Cause::NoSuchField && !node.text.isEmpty())
        message = "There is no field '" + node.text + "' in the map; has() asks whether it is there.";
    return problemAt(m_code->text, node.offset, node.length, message);
}

} // namespace junban::cel
