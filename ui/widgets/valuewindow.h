#pragma once

#include <QDialog>

QT_BEGIN_NAMESPACE
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QTabWidget;
QT_END_NAMESPACE

namespace junban::ui {

// One MessagePack value in a window of its own: as text (JSON), as a tree with its types, and in hex. It can be searched, copied and saved.
class ValueWindow : public QDialog
{
    Q_OBJECT

public:
    ValueWindow(const QByteArray &bytes, const QString &title, QWidget *parent);

    QTabWidget *tabs() const { return m_tabs; }
    QLineEdit *search() const { return m_search; }
    QPlainTextEdit *text() const { return m_text; }
    QPlainTextEdit *hex() const { return m_hex; }
    QString found() const;
    // Writes the value to a file: as JSON if it is called so, else as MessagePack. Returns what is wrong; empty: nothing.
    QString save(const QString &path) const;

    static constexpr qsizetype text_bytes_max = 1'024 * 1'024; // a larger value is shown as a tree, and its beginning in hex
    static constexpr qsizetype hex_bytes_max = 64 * 1'024;

private:
    QWidget *buildFoot();
    void find();
    void askWhere();

    QByteArray m_bytes;
    QTabWidget *m_tabs;
    QLineEdit *m_search;
    QLabel *m_found;
    QPlainTextEdit *m_text;
    QPlainTextEdit *m_hex;
};

} // namespace junban::ui
