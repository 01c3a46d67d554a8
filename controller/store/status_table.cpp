#include "controller/store/status_table.h"

#include <algorithm>
#include <utility>

#include "controller/store/codec.h"

namespace sconverge {

StatusTable::StatusTable(Connection& connection, std::string cluster)
    : connection_(connection),
      cluster_(std::move(cluster)),
      put_summary_(connection, "INSERT OR REPLACE INTO cluster VALUES (?, ?)"),
      get_summary_(connection, "SELECT published FROM cluster WHERE name = ?"),
      put_status_(connection, "INSERT OR REPLACE INTO status VALUES (?, ?, ?, ?)"),
      drop_status_(connection,
                   "DELETE FROM status WHERE cluster = ? AND namespace = ? AND name = ?"),
      drop_statuses_(connection, "DELETE FROM status WHERE cluster = ?"),
      get_statuses_(connection,
                    "SELECT namespace, name, record FROM status WHERE cluster = ?"
                    " ORDER BY namespace, name") {}

void StatusTable::write(const Published& published) {
  std::vector<SpecStatus> statuses = published.statuses;
  std::sort(statuses.begin(), statuses.end(),
            [](const SpecStatus& a, const SpecStatus& b) { return a.name < b.name; });
  const auto before = std::exchange(written_, std::nullopt);
  Transaction transaction(connection_, Transaction::Kind::CarelessWrite);
  Query(put_summary_, cluster_, summary_record(published)).run();
  if (!before) Query(drop_statuses_, cluster_).run();
  write_changes(before.value_or(std::vector<SpecStatus>{}), statuses);
  transaction.commit();
  written_ = std::move(statuses);
}

void StatusTable::write_changes(const std::vector<SpecStatus>& before,
                                const std::vector<SpecStatus>& now) {
  auto old = before.begin();
  for (const SpecStatus& status : now) {
    for (; old != before.end() && old->name < status.name; ++old) drop(*old);
    const bool known = old != before.end() && old->name == status.name;
    if (!known || *old != status) {
      const SpecName& name = status.name;
      Query(put_status_, cluster_, name.name_space, name.name, status_record(status)).run();
    }
    if (known) ++old;
  }
  for (; old != before.end(); ++old) drop(*old);
}

void StatusTable::drop(const SpecStatus& status) {
  Query(drop_status_, cluster_, status.name.name_space, status.name.name).run();
}

Result<Published> StatusTable::read() {
  const std::string& path = connection_.path();
  // One transaction, so that summary and statuses are of the same tick.
  Transaction transaction(connection_, Transaction::Kind::Read);
  Query row(get_summary_, cluster_);
  const auto summary = row.step() ? row.text_if_any(0) : std::nullopt;
  if (!summary) {
    return Error{.kind = ErrorKind::Unavailable,
                 .message = "nothing is known yet about cluster " + cluster_ + " in " + path +
                            ": no tick of a controller has ended there"};
  }
  auto published = summary_from(*summary);
  if (!published) {
    return damaged(path, "the summary of " + cluster_ + ": " + published.error().message);
  }
  auto statuses = read_statuses();
  if (!statuses) return statuses.error();
  published->statuses = std::move(*statuses);
  return published;
}

Result<std::vector<SpecStatus>> StatusTable::read_statuses() {
  std::vector<SpecStatus> statuses;
  Query rows(get_statuses_, cluster_);
  while (rows.step()) {
    auto status = status_from(rows.text(2));
    if (!status) {
      const SpecName name{rows.text(0), rows.text(1)};
      return damaged(connection_.path(),
                     "the status of " + to_text(name) + ": " + status.error().message);
    }
    statuses.push_back(std::move(*status));
  }
  return statuses;
}

}  // namespace sconverge
