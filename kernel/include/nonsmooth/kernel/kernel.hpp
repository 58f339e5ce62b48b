// The kernel of Nonsmooth: models and their simulation. This header includes all others.
#ifndef NONSMOOTH_KERNEL_KERNEL_HPP
#define NONSMOOTH_KERNEL_KERNEL_HPP

#if __cplusplus <= 201703L
#error "nonsmooth/kernel needs C++20 (-std=c++20)"
#else

#include "nonsmooth/kernel/checkpoint.hpp"
#include "nonsmooth/kernel/csv_trajectory.hpp"
#include "nonsmooth/kernel/d1_minus.hpp"
#include "nonsmooth/kernel/event_driven.hpp"
#include "nonsmooth/kernel/event_integrators.hpp"
#include "nonsmooth/kernel/first_order_relations.hpp"
#include "nonsmooth/kernel/hdf5_trajectory.hpp"
#include "nonsmooth/kernel/instant_impact.hpp"
#include "nonsmooth/kernel/lagrangian_relations.hpp"
#include "nonsmooth/kernel/model_file.hpp"
#include "nonsmooth/kernel/multiple_impact.hpp"
#include "nonsmooth/kernel/newton_euler_relations.hpp"
#include "nonsmooth/kernel/planar_relations.hpp"
#include "nonsmooth/kernel/projection.hpp"
#include "nonsmooth/kernel/time_plot.hpp"
#include "nonsmooth/kernel/time_stepping.hpp"
#include "nonsmooth/kernel/vtk_scene.hpp"

#endif
#endif
