// Laws of model files.
#include "io/model_file_schema.hpp"

namespace nonsmooth::kernel::model_file {
namespace {

using LawField = Property<NonSmoothLaw>;
using Law = std::shared_ptr<NonSmoothLaw>;

LawField lawField(const char* name, Type type, const char* fallback, const char* meaning) {
  return given<NonSmoothLaw>(name, type, fallback, meaning);
}
LawField lawNumber(const char* name, const char* fallback, const char* meaning) {
  return lawField(name, Type::Number, fallback, meaning);
}
LawField size(const char* fallback, const char* meaning) { return lawField("size", Type::Count, fallback, meaning); }

void addImpacts(Table<NonSmoothLaw>& table) {
  const LawField en = lawNumber("en", required, "normal restitution, from 0 to 1");
  const LawField et = lawNumber("et", "0", "tangential restitution, from -1 to 1");
  const LawField mu = lawNumber("mu", required, "coefficient of friction");
  table.emplace_back(
      "NewtonImpactNSL", "where y <= 0: 0 <= y'(after) + e y'(before), complementary to lambda >= 0",
      std::vector<LawField>{lawNumber("e", required, "restitution, from 0 to 1"), size("1", "rows")},
      [](const Object& from) -> Law { return std::make_shared<NewtonImpactNSL>(from.count("size"), from.number("e")); });
  table.emplace_back("NewtonImpactFrictionNSL", "Newton impact and Coulomb friction",
                     std::vector<LawField>{en, et, mu, size(required, "2 in the plane, 3 in space")},
                     [](const Object& from) -> Law {
                       return std::make_shared<NewtonImpactFrictionNSL>(from.number("en"), from.number("et"), from.number("mu"),
                                                                        from.count("size"));
                     });
  table.emplace_back("NewtonImpactRollingFrictionNSL", "Newton impact and Coulomb friction with rolling resistance",
                     std::vector<LawField>{en, et, mu, lawNumber("mu_r", required, "rolling resistance [m]"),
                                           size(required, "3 in the plane, 5 in space")},
                     [](const Object& from) -> Law {
                       return std::make_shared<NewtonImpactRollingFrictionNSL>(
                           from.number("en"), from.number("et"), from.number("mu"), from.number("mu_r"), from.count("size"));
                     });
  table.emplace_back("MultipleImpactNSL", "law of Liu, Zhao and Brogliato for multiple impacts",
                     std::vector<LawField>{lawNumber("e", required, "energetic restitution"),
                                           lawNumber("K", required, "stiffness of the contact law"),
                                           lawNumber("eta", required, "exponent of the contact law")},
                     [](const Object& from) -> Law {
                       return std::make_shared<MultipleImpactNSL>(from.number("e"), from.number("K"), from.number("eta"));
                     });
}

void addSets(Table<NonSmoothLaw>& table) {
  table.emplace_back("ComplementarityConditionNSL", "0 <= y, lambda >= 0, y lambda = 0", std::vector<LawField>{size("1", "rows")},
                     [](const Object& from) -> Law { return std::make_shared<ComplementarityConditionNSL>(from.count("size")); });
  table.emplace_back("RelayNSL", "-y in the normal cone of [lb, ub] at lambda, an impulse per step in mechanical systems",
                     std::vector<LawField>{size("1", "rows"), lawNumber("lb", "-1", "least lambda; may be -inf"),
                                           lawNumber("ub", "1", "greatest lambda; may be inf")},
                     [](const Object& from) -> Law {
                       return std::make_shared<RelayNSL>(from.count("size"), from.number("lb", true), from.number("ub", true));
                     });
  table.emplace_back(
      "EqualityConditionNSL", "y = 0",
      std::vector<LawField>{size(required, "rows; those of a joint are 3 (knee), 5 (pivot, prismatic) or 6 (fixed)")},
      [](const Object& from) -> Law { return std::make_shared<EqualityConditionNSL>(from.count("size")); });
  table.emplace_back(
      "MixedComplementarityConditionNSL", "y = 0 on the first rows, complementarity on the others",
      std::vector<LawField>{size(required, "rows"), lawField("equalities", Type::Count, required, "rows of equality")},
      [](const Object& from) -> Law {
        return std::make_shared<MixedComplementarityConditionNSL>(from.count("size"), from.count("equalities"));
      });
  table.emplace_back("NormalConeNSL", "-y in the normal cone of {lambda : H lambda >= K} at lambda",
                     std::vector<LawField>{size(required, "rows"), lawField("H", Type::Matrix, required, "[m, size]"),
                                           lawField("K", Type::Vector, required, "[m]")},
                     [](const Object& from) -> Law {
                       return std::make_shared<NormalConeNSL>(from.count("size"), from.matrix("H"), from.vector("K"));
                     });
}

Table<NonSmoothLaw> makeLawTable() {
  Table<NonSmoothLaw> table;
  addImpacts(table);
  addSets(table);
  return table;
}

}  // namespace

const Table<NonSmoothLaw>& lawTable() {
  static const Table<NonSmoothLaw> table = makeLawTable();
  return table;
}

}  // namespace nonsmooth::kernel::model_file
