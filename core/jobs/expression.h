#pragma once

#include <QtGlobal>
#include <re2/re2.h>
#include <string>

namespace junban {

// A regular expression of the program's own, which compiles.
class Expression : public re2::RE2
{
public:
    explicit Expression(const std::string &text)
        : re2::RE2(text, quietly())
    {
        if (!ok())
            qFatal("%s: %s", error().c_str(), text.c_str());
    }

private:
    static re2::RE2::Options quietly()
    {
        re2::RE2::Options options;
        options.set_log_errors(false);
        return options;
    }
};

inline bool matches(re2::StringPiece text, const Expression &expression)
{
    return re2::RE2::PartialMatch(text, expression);
}

} // namespace junban
