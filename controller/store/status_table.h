#pragma once

#include <optional>
#include <string>
#include <vector>

#include "controller/core/result.h"
#include "controller/ports/store.h"
#include "controller/store/connection.h"

namespace sconverge {

/// What is published about one cluster: a row a spec, of which only the changed ones are written.
/// Throws as a Connection does.
class StatusTable {
 public:
  /// The connection must outlive it.
  StatusTable(Connection& connection, std::string cluster);

  void write(const Published& published);
  Result<Published> read();

 private:
  void write_changes(const std::vector<SpecStatus>& before, const std::vector<SpecStatus>& now);
  void drop(const SpecStatus& status);
  Result<std::vector<SpecStatus>> read_statuses();

  Connection& connection_;
  std::string cluster_;
  Statement put_summary_;
  Statement get_summary_;
  Statement put_status_;
  Statement drop_status_;
  Statement drop_statuses_;
  Statement get_statuses_;
  /// What is in the table, by name; nothing while that is not known.
  std::optional<std::vector<SpecStatus>> written_{};
};

}  // namespace sconverge
