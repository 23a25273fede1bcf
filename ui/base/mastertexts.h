#pragma once

#include <QByteArrayView>
#include <QString>
#include <span>

namespace junban::ui {

// A sentence of the master, of its language of expressions or of a client's call, in the language of the window. What varies in it, such as
// a name or a number, stays as it is, shown(); so does a sentence that is not known.
QString masterSentence(QByteArrayView message);

// A sentence that masterSentence() knows, with %1, %2, … in this order for what varies.
struct MasterTemplate {
    enum class Part {
        Plain,
        Sentence, // another sentence of the master
        Choice,   // a list with "or" before its last word
        Word,     // one of masterWords()
    };
    const char *text;
    Part special = Part::Plain; // what the part number `which` is; the others are plain
    int which = 0;
};
std::span<const MasterTemplate> masterTemplates();
std::span<const char *const> masterWords();

} // namespace junban::ui
