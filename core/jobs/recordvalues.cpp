#include "core/jobs/recordvalues.h"

#include <QtEndian>
#include <algorithm>
#include <cmath>

namespace junban {

namespace {

// Reads words of 32 bits, most significant byte first; gives 0 after the end.
class Words
{
public:
    explicit Words(QByteArrayView bytes) : m_bytes(bytes) {}
    quint32 at(qsizetype word) const
    {
        return 4 * word + 4 <= m_bytes.size() ? qFromBigEndian<quint32>(m_bytes.data() + 4 * word) : 0;
    }
    qint64 longAt(qsizetype word) const { return qint64((quint64(at(word)) << 32) | at(word + 1)); }

private:
    QByteArrayView m_bytes;
};

Distribution distributionAt(const Words &words, qsizetype first)
{
    Distribution d;
    d.sum_ms = words.longAt(first);
    d.squaresLow = words.longAt(first + 2);
    d.squaresHigh = words.longAt(first + 4);
    for (int bin = 0; bin < Distribution::bins_count; ++bin) {
        d.bins[size_t(bin)] = words.at(first + 6 + bin);
        d.count += d.bins[size_t(bin)];
    }
    return d;
}

} // namespace

WholeDistributions WholeDistributions::fromPacked(QByteArrayView packed)
{
    WholeDistributions whole;
    const qsizetype words = packed.size() / qsizetype(sizeof(qint64)); // Redis leaves out zeros at the end
    qsizetype word = 0;
    const auto next = [&] { return word < words ? qFromBigEndian<qint64>(packed.data() + 8 * word++) : 0; };
    for (Times *times : {&whole.wait, &whole.run}) {
        times->sum_ms = next();
        for (qint64 &bin : times->bins)
            bin = next();
    }
    return whole;
}

int Distribution::binOf(qint64 value_ms)
{
    if (value_ms < 1)
        return 0;
    int octave = 0;
    const double fraction = std::frexp(double(value_ms), &octave);
    const int quarter = fraction < 0.5946035575013605 ? 0 : fraction < 0.7071067811865476 ? 1 : fraction < 0.8408964152537145 ? 2 : 3;
    return std::min(bins_count - 1, 4 * octave + quarter - 3);
}

double Distribution::binStart_ms(int bin)
{
    return bin <= 0 ? 0 : std::exp2(double(bin - 1) / 4);
}

double Distribution::binEnd_ms(int bin)
{
    return bin == bins_count - 1 ? 2 * binStart_ms(bin) : binStart_ms(bin + 1);
}

double Distribution::mean_s() const
{
    return count == 0 ? 0 : double(sum_ms) / double(count) / 1000;
}

double Distribution::variance_s2() const
{
    if (count == 0)
        return 0;
    const auto n = static_cast<long double>(count);
    const long double squares = static_cast<long double>(squaresLow) + static_cast<long double>(squaresHigh) * 0x1p36L;
    const long double mean = static_cast<long double>(sum_ms) / n;
    return double(std::max(0.0L, squares / n - mean * mean) / 1e6L);
}

double Distribution::percentile_s(double share) const
{
    const double wanted = std::clamp(share, 0.0, 1.0) * double(count);
    double before = 0;
    for (int bin = 0; bin < bins_count; ++bin) {
        const double here = bins[size_t(bin)];
        if (here > 0 && before + here >= wanted)
            return (binStart_ms(bin) + (binEnd_ms(bin) - binStart_ms(bin)) * (wanted - before) / here) / 1000;
        before += here;
    }
    return 0;
}

Measure Measure::of(const Distribution &distribution)
{
    Measure measure{distribution.count, distribution.mean_s(), distribution.variance_s2(), distribution.percentile_s(0.5),
        distribution.percentile_s(0.95), distribution.percentile_s(0.99), {}};
    for (int bin = 0; bin < Distribution::bins_count; ++bin) {
        if (const quint32 count = distribution.bins[size_t(bin)])
            measure.histogram.append({Distribution::binStart_ms(bin) / 1000, Distribution::binEnd_ms(bin) / 1000, count});
    }
    return measure;
}

NameDistributions NameDistributions::fromPacked(QByteArray name, QByteArrayView packed)
{
    const Words words(packed);
    NameDistributions of;
    of.name = std::move(name);
    of.failures = words.at(1);
    of.retries = words.at(2);
    of.expiries = words.at(3);
    of.wait = distributionAt(words, 4);
    of.run = distributionAt(words, 120);
    return of;
}

const char *metricWord(Metric metric)
{
    return metricWords[size_t(metric)];
}

std::optional<Metric> metricFromWord(QByteArrayView word)
{
    for (int metric = 0; metric < metrics_count; ++metric) {
        if (word == metricWords[size_t(metric)])
            return static_cast<Metric>(metric);
    }
    return {};
}

} // namespace junban
