// Preloaded into siconos-kernel, answers the checks of its graphs at once. Debian's build of Siconos 4.4 runs them in asserts, at
// a cost that is quadratic in the contacts; without them it costs what a build without asserts would, or nearly so. The names are
// those of SiconosGraph's adjacent_vertices_ok, state_assert and adjacent_vertex_exists (`nm -DC`), for graphs of interactions
// and for graphs of systems.
#define GRAPH(member, end)                                                     \
  "_ZNK12SiconosGraphISt10shared_ptrI11InteractionES0_"                        \
  "I15DynamicalSystemE21InteractionProperties25DynamicalSystemProperties15Gra" \
  "phPropertiesE" member end
#define DUAL_GRAPH(member, end)                                            \
  "_ZNK12SiconosGraphISt10shared_ptrI15DynamicalSystemES0_"                \
  "I11InteractionE25DynamicalSystemProperties21InteractionProperties15Gra" \
  "phPropertiesE" member end

bool adjacent(const void*) __asm__(GRAPH("20adjacent_vertices_ok", "Ev"));
bool adjacent_dual(const void*) __asm__(DUAL_GRAPH("20adjacent_vertices_ok", "Ev"));
bool state(const void*) __asm__(GRAPH("12state_assert", "Ev"));
bool state_dual(const void*) __asm__(DUAL_GRAPH("12state_assert", "Ev"));
bool exists(const void*, const void*) __asm__(GRAPH("22adjacent_vertex_exists", "ERKPv"));
bool exists_dual(const void*, const void*) __asm__(DUAL_GRAPH("22adjacent_vertex_exists", "ERKPv"));

bool adjacent(const void*) { return true; }
bool adjacent_dual(const void*) { return true; }
bool state(const void*) { return true; }
bool state_dual(const void*) { return true; }
bool exists(const void*, const void*) { return false; }
bool exists_dual(const void*, const void*) { return false; }
