#include "tests/support/limitdraws.h"

namespace junban::test {

namespace {

class Dice
{
public:
    explicit Dice(QRandomGenerator &random) : m_random(random) {}
    bool chance(int in) { return m_random.bounded(in) == 0; }
    int any(int from, int to) { return m_random.bounded(from, to + 1); }
    QByteArray key() { return QByteArray::number(any(0, 4)); }

    ModelLimit::Numbers numbers() { return {any(0, 4), any(1, 4), any(1, 3), any(500, 4000)}; }
    ModelShare share()
    {
        ModelShare made;
        if (chance(3))
            made.percent = any(0, 10) * 10;
        else if (chance(2))
            made.min = any(0, 3);
        if (chance(4))
            made.max = any(0, 4);
        return made;
    }
    QByteArray mode(int enforcedIn)
    {
        if (enforcedIn > 0 && chance(enforcedIn))
            return "enforce";
        return chance(2) ? "observe" : "off";
    }

private:
    QRandomGenerator &m_random;
};

// The fields of a constraint that edits do not change.
ModelLimit anyNewLimit(Dice &dice, qint64 now_ms)
{
    ModelLimit limit;
    limit.kind = dice.chance(4) ? ModelLimit::Concurrency : ModelLimit::Kind(dice.any(0, 7));
    limit.algorithm = ModelLimit::Algorithm(dice.any(0, 2));
    if (limit.kind == ModelLimit::Rate && limit.algorithm == ModelLimit::Fixed && dice.chance(2)) {
        for (qint64 at_ms = now_ms - 1000; limit.boundaries.size() < 400; at_ms += dice.any(500, 1500))
            limit.boundaries.append(at_ms);
    }
    limit.window_ms = dice.any(1, 10) * 600;
    return limit;
}

} // namespace

ModelLimit anyLimit(QRandomGenerator &random, const ModelLimit *known, qint64 now_ms)
{
    Dice dice(random);
    ModelLimit limit = known ? *known : anyNewLimit(dice, now_ms);
    limit.numbers = dice.numbers();
    if (known && limit.kind == ModelLimit::Rate && dice.chance(4)) {
        limit.algorithm = ModelLimit::Algorithm(dice.any(0, 2));
        limit.boundaries.clear();
    }
    limit.overrides.clear();
    for (int n = dice.any(0, 2); n > 0; --n)
        limit.overrides[dice.key()] = dice.numbers();
    if (limit.kind == ModelLimit::Fair) // another mode needs a new epoch
        limit.mode = known ? known->mode : "enforce";
    else
        limit.mode = dice.chance(3) ? dice.mode(0) : "enforce";
    if (limit.kind == ModelLimit::Pause) {
        limit.mode = dice.mode(4);
        limit.until_ms = dice.chance(2) ? now_ms + dice.any(-500, 2000) : -1;
    } else if (limit.kind == ModelLimit::Window) {
        limit.boundaries.clear();
        limit.cancelAtClose = dice.chance(3);
        qint64 at_ms = now_ms + dice.any(-1000, 1000);
        for (int n = dice.any(0, 9); n > 0; --n, at_ms += dice.any(1, 2000))
            limit.boundaries.append(at_ms);
    } else if (limit.kind == ModelLimit::Share) {
        limit.capacity = dice.any(1, 8);
        limit.borrow = dice.chance(2);
        limit.otherwise = dice.share();
        limit.shares.clear();
        for (int n = dice.any(0, 4); n > 0; --n)
            limit.shares[dice.key()] = dice.share();
    } else if (limit.kind == ModelLimit::Breaker) {
        limit.samples = dice.any(1, 4);
        limit.openFor_ms = dice.any(100, 2000);
    }
    return limit;
}

Rule anyRule(QRandomGenerator &random, const Rule &before)
{
    Dice dice(random);
    const int modulus = dice.chance(4) ? dice.any(6, 12) : dice.any(1, 5);
    const int constraints = dice.any(1, 3), first = dice.any(1, 4), costs = dice.any(1, 3);
    const char except = char('a' + dice.any(0, 3));
    const bool exempt = dice.chance(2);
    const int kept = before ? dice.any(0, 2) : 0; // of three values
    return [=](const JobSpec &spec) {
        QList<CarriedBucket> buckets;
        const int value = int(payload::Reader(spec.argument).next()->integer);
        if (value / 3 % 3 < kept)
            return before(spec);
        for (int c = first; c < first + constraints; ++c) {
            if (spec.name[0] == except || (value + c) % 3 == 0)
                continue;
            if ((value + c) % 7 != 1) // otherwise its key is missing
                buckets.append({c, QByteArray::number((value + c) % modulus), 1 + value % costs});
            else if (!exempt)
                buckets.append({c, "(missing)", 1 + value % costs});
        }
        return buckets;
    };
}

} // namespace junban::test
