#pragma once

#include <string>
#include <vector>

#include "controller/app/render_plan.h"
#include "controller/core/history.h"
#include "controller/ports/slurm_client.h"
#include "controller/ports/store.h"
#include "metrics/metrics.h"
#include "specs/problem.h"

namespace sconverge {

// What `-o json` and `-o yaml` print. Keys are lowerCamel and never change their meaning; times are
// RFC 3339 in UTC; what is unknown is left out. Any text is made valid UTF-8. As everywhere, of an
// environment only the names are shown and of a script only the size.

enum class DocumentFormat { Json, Yaml };

/// A list: {"kind": "SpecStatusList", "items": [...], "clusters": [...]}.
std::string statuses_document(const std::vector<Published>& clusters, DocumentFormat format);

/// One status alone.
std::string status_document(const Published& cluster, const SpecStatus& status,
                            DocumentFormat format);

/// One status with its spec and attempts.
std::string description_document(const Published& cluster, const SpecStatus& status,
                                 const SpecHistory& history, DocumentFormat format);

std::string plan_document(const std::vector<ClusterPlan>& plans, DocumentFormat format);

/// `notes` are what is taken, but most likely not meant.
std::string validation_document(int files, int specs, const std::vector<Problem>& problems,
                                const std::vector<Problem>& notes, DocumentFormat format);

/// One cluster's `check`: what it answered, or why it did not, and what deserves a warning.
struct ClusterCheck {
  std::string cluster{};
  std::string endpoint{};
  std::optional<ClusterInfo> info{};
  std::optional<Error> error{};
  std::vector<std::string> warnings{};
};
std::string checks_document(const std::vector<ClusterCheck>& checks, DocumentFormat format);

std::string build_document(const BuildInfo& build, DocumentFormat format);

}  // namespace sconverge
