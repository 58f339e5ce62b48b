// The classes around systems, laws and integrators: what nests in what.
#pragma once

#include "io/model_file_schema.hpp"

namespace nonsmooth::kernel::model_file {

inline const ClassInfo model_class{"Model",
                                   "the root",
                                   {{"version", Type::Count, "1", "version of this schema: 1"},
                                    {"title", Type::Text, none, "what the model is"},
                                    {"author", Type::Text, none, "who wrote the file"},
                                    {"description", Type::Text, none, "more about the model"},
                                    {"t0", Type::Number, "0", "initial time [s]"},
                                    {"T", Type::Number, "inf", "final time [s]"},
                                    {"NonSmoothDynamicalSystem", Type::Object, required, "systems and interactions"},
                                    {"Output", Type::Object, none, "a table of the run", true},
                                    {"Plot", Type::Object, none, "a plot of the run", true}}};
inline const ClassInfo nsds_class{"NonSmoothDynamicalSystem",
                                  "systems, in the order of their numbers, and interactions",
                                  {{"Interaction", Type::Object, none, "one block of the nonsmooth problem", true}}};
inline const ClassInfo interaction_class{"Interaction",
                                         "one law and one relation",
                                         {{"id", Type::Word, required, "its name in this file"},
                                          {"systems", Type::List, required, "names of the one or two systems it links"}}};
inline const ClassInfo instants_class{
    "TimeDiscretisation",
    "h; h and nSteps; nSteps, of equal length from t0 to T; or instants. They reach T; h and nSteps end there",
    {{"h", Type::Number, none, "step [s]"},
     {"nSteps", Type::Count, none, "number of steps"},
     {"instants", Type::Vector, none, "t_0 < t_1 < ... [s]"}}};
inline const ClassInfo output_class{
    "Output",
    "a table of quantities",
    {{"file", Type::Text, none, "file that every run writes; the ending decides the format (csv, h5, hdf5)"},
     {"quantities", Type::Text, none, "columns, as \"q[0] of ball, lambda of floor\"; all if not given"},
     {"every", Type::Count, "1", "a row every N steps"}}};
inline const ClassInfo plot_class{
    "Plot",
    "a picture of quantities over time",
    {{"file", Type::Text, none, "file that every run writes, SVG"},
     {"quantities", Type::Text, none, "curves, as \"q[0] of ball, lambda of floor\"; all if not given"},
     {"title", Type::Text, none, "the title of the model if not given"}}};

}  // namespace nonsmooth::kernel::model_file
