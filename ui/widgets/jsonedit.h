#pragma once

#include "core/base/result.h"

#include <QPlainTextEdit>

namespace junban::ui {

// A MessagePack value to be edited as JSON, by the API's own mapping. Bytes that nobody has touched come back as they were, so that
// a float32 stays one.
class JsonEdit : public QPlainTextEdit
{
    Q_OBJECT

public:
    explicit JsonEdit(QWidget *parent = nullptr);

    void setBytes(const QByteArray &msgpack);
    // Errors: a sentence that says where the text is no JSON, or what in it has no MessagePack. An empty text is nil.
    Result<QByteArray> bytes() const;

    QSize sizeHint() const override;

protected:
    void changeEvent(QEvent *event) override;

private:
    QByteArray m_original;
    QString m_originalText;
};

} // namespace junban::ui
