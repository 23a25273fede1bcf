#include "core/limits/constraint.h"

#include "core/base/reasons/matchers.h"
#include "core/base/reasons/requests.h"
#include "core/limits.h"
#include "core/limits/kinds/storedwords.h"
#include "core/msgpack/msgpackwriter.h"

#include <algorithm>

namespace junban {

namespace {

constexpr const char *modeWords[] = {"enforce", "observe", "off"};
constexpr const char *onMissingWords[] = {"share", "exempt"};

const Constraint &constraintOf(const void *object)
{
    return *static_cast<const Constraint *>(object);
}

// A kind's fields alone, over parameters that are there already.
bool readParametersOver(Decoder &in, const PackedValue &value, Parameters &parameters)
{
    const Kind &kind = kindOf(parameters);
    void *const object = addressOf(parameters);
    if (!readChanges(in, value, kind.table, object))
        return false;
    if (kind.normalize)
        kind.normalize(object);
    return true;
}

// --- Fields of all kinds ------------------------------------------------------------------------------------------------------------

// readConstraint() has read it already.
bool readKind(Decoder &, const PackedValue &, void *, const Field &)
{
    return true;
}
void writeKind(MsgpackWriter &out, const void *member, const Field &, Written)
{
    out.text(kindOf(*static_cast<const Parameters *>(member)).word);
}
bool sameKind(const void *a, const void *b, const Field &)
{
    return static_cast<const Parameters *>(a)->index() == static_cast<const Parameters *>(b)->index();
}
constexpr Codec kindCodec{readKind, writeKind, sameKind, "word"};

bool isExpression(QByteArrayView text)
{
    return text.size() <= limits::matcher_text_bytes_max;
}
bool readBy(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    return readTexts(in, value, *static_cast<QList<QByteArray> *>(member), field.count_max, isExpression, reasons::constraintByExpected);
}
using ByList = codecs::ListOf<QList<QByteArray>, codecs::text>;
constexpr Codec byCodec{readBy, ByList::write, ByList::same, "array", &codecs::text};

bool readOverrides(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    auto &overrides = *static_cast<QList<Override> *>(member);
    overrides.clear();
    return readKeyed(in, value, field.count_max, [&](QByteArrayView key, const PackedValue &entry) {
        overrides.append({key.toByteArray(), entry.raw().toByteArray()});
        return true;
    });
}
void writeOverrides(MsgpackWriter &out, const void *member, const Field &, Written)
{
    const auto &overrides = *static_cast<const QList<Override> *>(member);
    out.map(overrides.size());
    for (const Override &override : overrides)
        out.text(override.key).raw(override.fields);
}
constexpr Codec overridesCodec{readOverrides, writeOverrides, codecs::same<QList<Override>>, "object"};

bool tellsMissing(const void *object)
{
    return !constraintOf(object).by.isEmpty() || constraintOf(object).onMissing == OnMissing::Exempt;
}

constexpr Field headFields[] = {
    field::name<&Constraint::id>("id", limits::matcher_id_bytes_max * 2).rare(),
    Field{.name = "kind", .codec = &kindCodec, .memberOf = field::at<&Constraint::parameters>}.needed(),
};
constexpr Field tailFields[] = {
    field::of<&Constraint::by, byCodec>("by").atMost(limits::constraint_by_max).rare(),
    field::word<&Constraint::onMissing>("on_missing", onMissingWords).onlyIf(tellsMissing),
    field::of<&Constraint::overrides, overridesCodec>("overrides").atMost(limits::constraint_overrides_max).rare(),
    field::word<&Constraint::mode>("mode", modeWords),
    field::time<&Constraint::expiresAt_ms>("expires_at").rare(),
    field::duration<&Constraint::expiresIn_ms>("expires_in", limits::ahead_s_min, limits::ahead_s_max).rare(),
    field::integer<&Constraint::revision>("revision", 1).rare(),
};
constexpr TableOf<Constraint> headTable{nullptr, headFields};
constexpr TableOf<Constraint> tailTable{nullptr, tailFields};

bool checkBy(Decoder &in, const PackedValue &value, const Constraint &constraint, const FieldsSeen &seen)
{
    const Kind::By by = kindOf(constraint.parameters).by;
    if (by == Kind::By::Never && !constraint.by.isEmpty())
        return in.fail({&value.path, "by", -1}, reasons::constraintWithoutBuckets);
    if (by == Kind::By::Needed && constraint.by.isEmpty())
        return in.fail({&value.path, "by", -1}, seen.has("by") ? reasons::constraintByNeeded : reasons::constraintFieldNeeded);
    return constraint.overrides.isEmpty() || !constraint.by.isEmpty()
        || in.fail({&value.path, "overrides", -1}, reasons::constraintOverridesWithoutBy);
}

bool checkConstraint(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &seen)
{
    const Constraint &constraint = constraintOf(object);
    const Kind &kind = kindOf(constraint.parameters);
    if (kind.table.check && !kind.table.check(in, value, addressOf(constraint.parameters), seen))
        return false;
    const FieldPath path{&value.path, "overrides", -1};
    for (const Override &override : constraint.overrides) {
        std::optional<PackedValue> fields = in.root(override.fields);
        if (!fields)
            return false;
        fields->path = {&path, override.key, -1};
        Parameters parameters = constraint.parameters;
        if (!readParametersOver(in, *fields, parameters))
            return false;
        if (const auto *pause = std::get_if<PauseParameters>(&parameters); pause && pause->for_ms)
            return in.fail({&fields->path, "for", -1}, reasons::constraintOverridePauseFor);
        if (!kind.amount || amountOf(parameters)->expression.isEmpty())
            continue;
        const payload::Step own[] = {{kind.amount->name, -1}};
        if (payload::find(override.fields, own))
            return in.fail({&fields->path, kind.amount->name, -1}, reasons::constraintOverrideNumber);
    }
    return onlyOneOf(in, value, seen, "expires_at", "expires_in") && checkBy(in, value, constraint, seen);
}

// --- A table for each kind ------------------------------------------------------------------------------------------------------------

template<typename P>
const void *defaultConstraint()
{
    static const Constraint value = [] {
        Constraint constraint;
        constraint.parameters = P{};
        return constraint;
    }();
    return &value;
}
template<typename P>
void *parametersIn(void *constraint)
{
    return std::get_if<P>(&static_cast<Constraint *>(constraint)->parameters);
}
template<typename P>
struct OfKind {
    static constexpr Field fields[] = {
        field::beside(headTable),
        Field{.name = {}, .codec = nullptr, .memberOf = parametersIn<P>, .table = &P::kind.table},
        field::beside(tailTable),
    };
    static constexpr FieldTable table{"Constraint", fields, defaultConstraint<P>, checkConstraint};
};
constexpr auto tables = []<size_t... index>(std::index_sequence<index...>) {
    return std::array<const FieldTable *, sizeof...(index)>{&OfKind<std::variant_alternative_t<index, Parameters>>::table...};
}(std::make_index_sequence<std::variant_size_v<Parameters>>());

QByteArrayList kindWords()
{
    QByteArrayList all;
    for (const Kind *kind : constraintKinds)
        all.append(kind->word);
    return all;
}

bool readConstraint(Decoder &in, const PackedValue &value, void *member, const Field &)
{
    if (value.head.type != payload::Type::Map)
        return in.noMap(value);
    const payload::Step step[] = {{QByteArrayView("kind"), -1}};
    const std::optional<QByteArrayView> given = payload::find(value.raw(), step);
    if (!given)
        return in.missing(value.path, "kind");
    const std::optional<payload::Token> word = payload::Reader(*given).next();
    const auto kind = word && word->type == payload::Type::String ? kindFromWord(word->bytes) : std::nullopt;
    if (!kind) {
        const FieldPath path{&value.path, "kind", -1};
        return in.lenient() ? in.useless(path) : in.fail(path, reasons::constraintKindExpected, kindWords());
    }
    Constraint constraint;
    constraint.parameters = defaultParameters(*kind);
    if (!readFields(in, value, constraintTable(*kind), &constraint))
        return false;
    if (const auto normalize = kindOf(*kind).normalize)
        normalize(addressOf(constraint.parameters));
    *static_cast<Constraint *>(member) = std::move(constraint);
    return true;
}
void writeConstraint(MsgpackWriter &out, const void *member, const Field &, Written)
{
    writeFields(out, constraintTable(constraintOf(member).kind()), member, Written::Whole);
}

// --- For scripts ------------------------------------------------------------------------------------------------------------------------

int appendForScripts(MsgpackWriter &out, const Parameters &parameters, qint64 now_ms)
{
    const Kind &kind = kindOf(parameters);
    const void *const object = addressOf(parameters);
    int count = appendFields(out, kind.script, object, Written::Whole);
    if (!kind.followsCalendar || !kind.followsCalendar(object))
        return count;
    const QList<qint64> boundaries = kind.boundaries(object, now_ms);
    out.text(stored::boundaries).array(boundaries.size());
    for (const qint64 at_ms : boundaries)
        out.integer(at_ms);
    return count + 1;
}

} // namespace

namespace codecs {
constinit const Codec constraint{readConstraint, writeConstraint, same<Constraint>, "constraint"};
} // namespace codecs

const char *modeWord(ConstraintMode mode)
{
    return modeWords[size_t(mode)];
}

const FieldTable &constraintTable(ConstraintKind kind)
{
    return *tables[size_t(kind)];
}

Parameters Constraint::parametersFor(const QByteArray &keyText) const
{
    Parameters own = parameters;
    const auto same = [&](const Override &override) { return override.key == keyText; };
    if (const auto found = std::find_if(overrides.begin(), overrides.end(), same); found != overrides.end()) {
        Decoder in;
        if (const std::optional<PackedValue> fields = in.root(found->fields))
            readParametersOver(in, *fields, own);
    }
    return own;
}

Result<Constraint> Constraint::fromMsgpack(QByteArrayView map, const QByteArray &path)
{
    Decoder in;
    Constraint constraint;
    std::optional<PackedValue> root = in.root(map);
    if (root)
        root->path.key = path;
    if (!root || !readConstraint(in, *root, &constraint, {}))
        return in.error();
    return constraint;
}

QByteArray Constraint::packed() const
{
    return fieldtable::pack(constraintTable(kind()), this, Written::Whole);
}

QByteArray packForScripts(const Constraint &constraint, bool enabled, qint64 now_ms)
{
    MsgpackWriter content;
    content.text(stored::kind).text(kindWord(constraint.kind()));
    content.text(stored::mode).text(modeWord(enabled ? constraint.mode : ConstraintMode::Off));
    int count = 2 + appendForScripts(content, constraint.parameters, now_ms);
    if (!constraint.overrides.isEmpty()) {
        content.text(stored::overrides).map(constraint.overrides.size());
        for (const Override &override : constraint.overrides) {
            MsgpackWriter own;
            const int fields = appendForScripts(own, constraint.parametersFor(override.key), now_ms);
            content.text(override.key).map(fields).raw(own.take());
        }
        ++count;
    }
    return MsgpackWriter().map(count).raw(content.take()).take();
}

void settleTimes(Constraint &constraint, qint64 now_ms)
{
    if (constraint.expiresIn_ms)
        constraint.expiresAt_ms = now_ms + *std::exchange(constraint.expiresIn_ms, {});
    auto *pause = std::get_if<PauseParameters>(&constraint.parameters);
    if (pause && pause->for_ms)
        pause->until_ms = now_ms + *std::exchange(pause->for_ms, {});
}

namespace {

std::optional<qint64> pauseEnd_ms(const Parameters &parameters)
{
    const auto *pause = std::get_if<PauseParameters>(&parameters);
    return pause ? pause->until_ms : std::nullopt;
}

} // namespace

QByteArray timeThatIsOver(const Constraint &constraint, const Constraint *before, qint64 now_ms)
{
    const auto isOver = [now_ms](const std::optional<qint64> &at_ms, const std::optional<qint64> &earlier_ms) {
        return at_ms && *at_ms <= now_ms && at_ms != earlier_ms;
    };
    if (isOver(constraint.expiresAt_ms, before ? before->expiresAt_ms : std::nullopt))
        return "expires_at";
    const std::optional<qint64> end_ms = before ? pauseEnd_ms(before->parameters) : std::nullopt;
    if (isOver(pauseEnd_ms(constraint.parameters), end_ms))
        return "until";
    for (const Override &override : constraint.overrides) {
        const std::optional<qint64> of_ms = before ? pauseEnd_ms(before->parametersFor(override.key)) : std::nullopt;
        const std::optional<qint64> own_ms = pauseEnd_ms(constraint.parametersFor(override.key));
        if (own_ms != pauseEnd_ms(constraint.parameters) && isOver(own_ms, of_ms))
            return "overrides." + override.key + ".until";
    }
    return {};
}

Error mustLieAhead(const QByteArray &field)
{
    return reasons::timeInThePast(field);
}

bool followsCalendar(const Constraint &constraint)
{
    const Kind &kind = kindOf(constraint.parameters);
    return kind.followsCalendar && kind.followsCalendar(addressOf(constraint.parameters));
}

qint64 boundariesEnd_ms(const Constraint &constraint, qint64 now_ms)
{
    if (!followsCalendar(constraint))
        return 0;
    const QList<qint64> boundaries = kindOf(constraint.parameters).boundaries(addressOf(constraint.parameters), now_ms);
    return boundaries.size() < boundaries_given / 2 ? 0 : boundaries[boundaries.size() / 2];
}

} // namespace junban
