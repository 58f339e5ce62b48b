# find_package(nonsmooth COMPONENTS kernel) gives nonsmooth::kernel; pkg-config: nonsmooth_kernel.
set(kernel_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/nonsmooth)
install(TARGETS kernel_shared EXPORT nonsmoothKernelTargets)
install(DIRECTORY include/nonsmooth DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT nonsmoothKernelTargets NAMESPACE nonsmooth:: DESTINATION ${kernel_package_dir})
install(FILES nonsmoothKernel.cmake DESTINATION ${kernel_package_dir})
file(RELATIVE_PATH pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(nonsmooth_kernel.pc.in ${CMAKE_CURRENT_BINARY_DIR}/nonsmooth_kernel.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/nonsmooth_kernel.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
