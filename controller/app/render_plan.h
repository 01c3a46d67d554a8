#pragma once

#include <map>
#include <string>
#include <vector>

#include "controller/app/reconciler.h"
#include "controller/app/table.h"

namespace sconverge {

/// One cluster's preview, with what is filled into its submits.
struct ClusterPlan {
  std::string cluster;
  SubmitDefaults defaults{};
  seconds grace{0};  ///< how long removed specs' jobs are still left alone
  Preview preview{};
};

/// What would happen, for people, as terraform and kubectl diff show it: `+` submit, `~` change in
/// place, `-` cancel, `!` held back by a guard; below each its fields, those that the controller
/// fills in marked "(default)". A summary line at the end. An environment is shown by its names, a
/// script by its size.
std::string plan_text(const std::vector<ClusterPlan>& plans, Paint paint);

/// There is something to do or something that a guard holds back.
bool has_changes(const std::vector<ClusterPlan>& plans);

}  // namespace sconverge
