// The kernel of Nonsmooth: models and their simulation. This header includes all others.
#ifndef NONSMOOTH_KERNEL_KERNEL_HPP
#define NONSMOOTH_KERNEL_KERNEL_HPP

#include "nonsmooth/kernel/csv_trajectory.hpp"
#include "nonsmooth/kernel/first_order_relations.hpp"
#include "nonsmooth/kernel/lagrangian_relations.hpp"
#include "nonsmooth/kernel/model_file.hpp"
#include "nonsmooth/kernel/newton_euler_relations.hpp"
#include "nonsmooth/kernel/planar_relations.hpp"
#include "nonsmooth/kernel/projection.hpp"
#include "nonsmooth/kernel/time_plot.hpp"
#include "nonsmooth/kernel/time_stepping.hpp"

#endif
