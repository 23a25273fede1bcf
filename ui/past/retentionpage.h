#pragma once

#include "client/pastcalls.h"
#include "ui/widgets/page.h"
#include "ui/widgets/recordmodel.h"

namespace junban::ui {

class RetentionDialog;

// How long jobs that ended are kept: of all names, and of names with settings of their own. Administrators change them.
class RetentionPage : public Page
{
    Q_OBJECT

public:
    RetentionPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent = nullptr);

    void refresh() override;
    // Whether the operator may change what is shown.
    void setMayChange(bool may);

    RecordList *list() const { return m_list; }
    QAction *edit() const { return m_edit; }
    QAction *add() const { return m_add; }
    QAction *clear() const { return m_clear; }

private:
    void buildActions();
    void open(RetentionDialog *dialog);
    void askClear();
    QString keptText(const Kept &kept) const;
    void say();
    void sayActions();
    // Of the chosen row; nothing: none is chosen.
    std::optional<QByteArray> chosen() const;

    std::optional<client::KeptSettings> m_kept;
    bool m_mayChange = false;
    client::CallId m_call = 0;
    RecordList *m_list = nullptr;
    QAction *m_edit = nullptr;
    QAction *m_add = nullptr;
    QAction *m_clear = nullptr;
};

} // namespace junban::ui
