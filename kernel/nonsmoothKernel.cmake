# Part of find_package(nonsmooth): nonsmooth::kernel, where Eigen is found.
find_package(Eigen3 3.4 QUIET NO_MODULE)
set(nonsmooth_kernel_FOUND ${Eigen3_FOUND})
if(Eigen3_FOUND)
  include(${CMAKE_CURRENT_LIST_DIR}/nonsmoothKernelTargets.cmake)
else()
  set(nonsmooth_NOT_FOUND_MESSAGE "the kernel needs Eigen 3.4, which is not found")
endif()
