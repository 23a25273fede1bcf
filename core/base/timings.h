#pragma once

#include <QByteArray>
#include <QList>
#include <array>
#include <map>
#include <mutex>

namespace junban {

// How long calls of a bounded number of kinds took in this process, as histograms. Threads: any.
class Timings
{
public:
    // A time belongs to the first bin whose end it does not exceed; the last bin has no end.
    static constexpr std::array<double, 9> ends_s = {0.001, 0.002, 0.004, 0.016, 0.064, 0.256, 1, 4, 16};
    struct Row {
        QByteArray kind;
        std::array<qint64, ends_s.size() + 1> bins{};
        double sum_s = 0;
    };

    // A clock that never goes back.
    static double now_s();
    void add(const QByteArray &kind, double time_s);
    // Those that were called, by kind.
    QList<Row> rows() const;

private:
    mutable std::mutex m_lock;
    std::map<QByteArray, Row> m_rows;
};

} // namespace junban
