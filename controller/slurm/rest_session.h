#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "controller/core/report.h"
#include "controller/core/result.h"
#include "controller/ports/transport.h"
#include "controller/slurm/answer.h"
#include "controller/slurm/refusal.h"

namespace sconverge {

enum class Service { Slurm, Slurmdb };

/// A request below a service and a version that are still to be chosen.
struct Ask {
  Purpose purpose{Purpose::Read};
  HttpMethod method{HttpMethod::Get};
  Service service{Service::Slurm};
  std::string path;    ///< below the version, e.g. "job/7"
  std::string route;   ///< the same as a template, e.g. "job/{job_id}"
  std::string what{};  ///< for messages, e.g. "update of job 7"
  std::string body{};
  RowKind rows{RowKind::Live};
  KeepRow keep{keep_all};
};

/// What was answered, good or bad.
struct Reply {
  AnswerHead head{};
  AnswerBody body{};
};

/// The error with `what` named in its message.
Error about(const std::string& what, Error error);

/// Asks in the newest API version that both sides know, with credentials that are renewed once if
/// they are refused. Thread-safe.
class RestSession {
 public:
  /// `pinned`: the one version to use; empty: found by asking.
  RestSession(std::unique_ptr<Transport> transport, std::string pinned);

  /// An Error if no whole answer came (kinds as in transport.h, but for a Read nothing is in
  /// doubt). A refused request is sent once more after credentials were renewed, or when the
  /// cluster turns out to serve another version now: neither was carried out.
  Result<Reply> ask(const Ask& ask);

  /// The text of a GET of any path, whole; an Error if the answer is no HTTP 200.
  Result<std::string> text_of(const std::string& path);

  /// A GET of any path whose answer is read as UTF-8 while it arrives; an Error if it is no HTTP
  /// 200. `read` is called each time that the request is sent, and what it has read at last counts.
  std::optional<Error> read_from(const std::string& path, const BodyReader& read);

  /// The version in use; asks the cluster if it is not known. Its absence is Unavailable, as is a
  /// cluster that serves none that we know.
  Result<std::string> version();

  [[nodiscard]] const Transport& transport() const { return *transport_; }
  std::vector<SlurmRequest> take_requests();

 private:
  /// `again`: it repeats a request that was answered otherwise.
  Result<Reply> send(const Ask& ask, const std::string& version, bool again);
  Result<Reply> send_renewing(const Ask& ask, const std::string& version, bool again = false);
  Result<std::string> find_version();
  void forget_version(const std::string& version);
  void record(SlurmRequest request);

  const std::unique_ptr<Transport> transport_;
  const std::string pinned_;

  std::mutex version_mutex_{};
  std::string version_{};

  std::mutex requests_mutex_{};
  std::vector<SlurmRequest> requests_{};
};

}  // namespace sconverge
