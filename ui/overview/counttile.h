#pragma once

#include "ui/base/look.h"

#include <QAbstractButton>

namespace junban::ui {

// A large count with its title above and a note below. A click on it shows the jobs that were counted.
class CountTile : public QAbstractButton
{
    Q_OBJECT

public:
    explicit CountTile(std::optional<JobState> state, const QString &title, QWidget *parent = nullptr);

    // Alarm: an amber note.
    enum class Note { Plain, Alarm };
    void setCount(const QString &count, const QString &note, Note kind = Note::Plain);
    QString count() const { return m_count; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QFont largeFont() const;
    double countHeight() const;

    std::optional<JobState> m_state;
    QString m_title;
    QString m_count;
    QString m_note;
    Note m_kind = Note::Plain;
};

} // namespace junban::ui
