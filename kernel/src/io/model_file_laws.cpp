// Laws of model files.
#include "io/model_file_schema.hpp"

namespace nonsmooth::kernel::model_file {

const Table<NonSmoothLaw>& lawTable() {
  using Law = std::shared_ptr<NonSmoothLaw>;
  const auto field = [](const char* name, Type type, const char* fallback, const char* meaning) {
    return given<NonSmoothLaw>(name, type, fallback, meaning);
  };
  const auto size = [&](const char* fallback, const char* meaning) { return field("size", Type::Count, fallback, meaning); };
  const auto en = field("en", Type::Number, required, "normal restitution, from 0 to 1");
  const auto et = field("et", Type::Number, "0", "tangential restitution, from -1 to 1");
  const auto mu = field("mu", Type::Number, required, "coefficient of friction");
  static const Table<NonSmoothLaw> table = {
      {"ComplementarityConditionNSL",
       "0 <= y, lambda >= 0, y lambda = 0",
       {size("1", "rows")},
       [](const Object& from) -> Law { return std::make_shared<ComplementarityConditionNSL>(from.count("size")); }},
      {"NewtonImpactNSL",
       "where y <= 0: 0 <= y'(after) + e y'(before), complementary to lambda >= 0",
       {field("e", Type::Number, required, "restitution, from 0 to 1"), size("1", "rows")},
       [](const Object& from) -> Law { return std::make_shared<NewtonImpactNSL>(from.count("size"), from.number("e")); }},
      {"NewtonImpactFrictionNSL",
       "Newton impact and Coulomb friction",
       {en, et, mu, size(required, "2 in the plane, 3 in space")},
       [](const Object& from) -> Law {
         return std::make_shared<NewtonImpactFrictionNSL>(from.number("en"), from.number("et"), from.number("mu"), from.count("size"));
       }},
      {"NewtonImpactRollingFrictionNSL",
       "the same with rolling resistance",
       {en, et, mu, field("mu_r", Type::Number, required, "rolling resistance [m]"), size(required, "3 in the plane, 5 in space")},
       [](const Object& from) -> Law {
         return std::make_shared<NewtonImpactRollingFrictionNSL>(from.number("en"), from.number("et"), from.number("mu"),
                                                                 from.number("mu_r"), from.count("size"));
       }},
      {"RelayNSL",
       "-y in the normal cone of [lb, ub] at lambda",
       {size("1", "rows"), field("lb", Type::Number, "-1", "least lambda; may be -inf"),
        field("ub", Type::Number, "1", "greatest lambda; may be inf")},
       [](const Object& from) -> Law {
         return std::make_shared<RelayNSL>(from.count("size"), from.number("lb", true), from.number("ub", true));
       }},
      {"EqualityConditionNSL",
       "y = 0",
       {size(required, "rows; those of a joint are 3 (knee), 5 (pivot, prismatic) or 6 (fixed)")},
       [](const Object& from) -> Law { return std::make_shared<EqualityConditionNSL>(from.count("size")); }},
      {"MixedComplementarityConditionNSL",
       "y = 0 on the first rows, complementarity on the others",
       {size(required, "rows"), field("equalities", Type::Count, required, "rows of equality")},
       [](const Object& from) -> Law {
         return std::make_shared<MixedComplementarityConditionNSL>(from.count("size"), from.count("equalities"));
       }},
      {"NormalConeNSL",
       "-y in the normal cone of {lambda : H lambda >= K} at lambda",
       {size(required, "rows"), field("H", Type::Matrix, required, "[m, size]"), field("K", Type::Vector, required, "[m]")},
       [](const Object& from) -> Law {
         return std::make_shared<NormalConeNSL>(from.count("size"), from.matrix("H"), from.vector("K"));
       }},
      {"MultipleImpactNSL",
       "law of Liu, Zhao and Brogliato for multiple impacts",
       {field("e", Type::Number, required, "energetic restitution"), field("K", Type::Number, required, "stiffness of the contact law"),
        field("eta", Type::Number, required, "its exponent")},
       [](const Object& from) -> Law {
         return std::make_shared<MultipleImpactNSL>(from.number("e"), from.number("K"), from.number("eta"));
       }}};
  return table;
}

}  // namespace nonsmooth::kernel::model_file
