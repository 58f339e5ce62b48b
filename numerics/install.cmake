# Installation. The package is relocatable: no file in it holds the prefix.
#
# The shared library needs nothing of its consumer. Whoever links the static one needs the libraries below; the CMake package looks for
# them by name where it is used, pkg-config lists them in Libs.private.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/nonsmooth)

install(TARGETS numerics_shared EXPORT nonsmoothTargets)
install(TARGETS numerics_static EXPORT nonsmoothStaticTargets)
install(TARGETS nonsmooth_cli)
install(DIRECTORY include/nonsmooth DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/docs/licences.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT nonsmoothTargets NAMESPACE nonsmooth:: DESTINATION ${package_dir})
install(EXPORT nonsmoothStaticTargets NAMESPACE nonsmooth:: DESTINATION ${package_dir})

# Names ("klu") and folders of the libraries we link.
set(static_names)
set(static_folders)
foreach(library IN LISTS dependencies)
  if(NOT IS_ABSOLUTE ${library})
    continue()
  endif()
  get_filename_component(name ${library} NAME_WE)
  string(REGEX REPLACE "^lib" "" name ${name})
  get_filename_component(folder ${library} DIRECTORY)
  list(APPEND static_names ${name})
  if(NOT folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
    list(APPEND static_folders ${folder})
  endif()
endforeach()
list(REMOVE_DUPLICATES static_names)
list(REMOVE_DUPLICATES static_folders)

list(JOIN static_names " " static_names_words)
list(JOIN static_folders " " static_folders_words)
configure_package_config_file(nonsmoothConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/nonsmoothConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/nonsmoothConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/nonsmoothConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/nonsmoothConfigVersion.cmake
        DESTINATION ${package_dir})

list(TRANSFORM static_folders PREPEND "-L" OUTPUT_VARIABLE pc_folders)
list(TRANSFORM static_names PREPEND "-l" OUTPUT_VARIABLE pc_names)
list(JOIN pc_folders " " pc_folders)
list(JOIN pc_names " " pc_names)
nonsmooth_install_pkgconfig(nonsmooth)
