#pragma once

#include "core/base/result.h"

#include <QPlainTextEdit>

namespace junban::ui {

// Edits a MessagePack value as JSON, by the API's mapping. If the text was not edited, bytes() returns the original bytes, so that a
// float32 stays one.
class JsonEdit : public QPlainTextEdit
{
    Q_OBJECT

public:
    explicit JsonEdit(QWidget *parent = nullptr);

    void setBytes(const QByteArray &msgpack);
    // The value; an empty text is nil. Errors: a sentence that says where the text is not JSON, or which part MessagePack cannot hold.
    Result<QByteArray> bytes() const;

    QSize sizeHint() const override;

protected:
    void changeEvent(QEvent *event) override;

private:
    QByteArray m_original;
    QString m_originalText;
};

} // namespace junban::ui
