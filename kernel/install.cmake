# find_package(nonsmooth COMPONENTS kernel) gives nonsmooth::kernel; pkg-config: nonsmooth_kernel.
set(kernel_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/nonsmooth)
install(TARGETS kernel_shared EXPORT nonsmoothKernelTargets)
install(TARGETS nonsmooth_simulate)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/data/models DESTINATION ${CMAKE_INSTALL_DATADIR}/nonsmooth)
install(DIRECTORY include/nonsmooth DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT nonsmoothKernelTargets NAMESPACE nonsmooth:: DESTINATION ${kernel_package_dir})
install(FILES nonsmoothKernel.cmake DESTINATION ${kernel_package_dir})
nonsmooth_install_pkgconfig(nonsmooth_kernel)
