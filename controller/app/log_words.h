#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace sconverge {

/// A key of a log line, and what its value is.
struct LogKeyMeaning {
  std::string_view key;
  std::string_view meaning;
};

/// What every line begins with, in this order.
inline constexpr std::array kEveryLine{
    LogKeyMeaning{"ts", "when it was written, RFC 3339 in UTC with milliseconds"},
    LogKeyMeaning{"level", "`debug`, `info`, `warn`, `error` or `critical`"},
    LogKeyMeaning{"logger", "the part that speaks"},
    LogKeyMeaning{"msg", "what happened; never varies within one kind of event"},
};

/// All other keys there are, sorted. One word means one thing in every line.
inline constexpr std::array kLogKeys{
    LogKeyMeaning{"accounting", "whether slurmdbd answers, `true` or `false`"},
    LogKeyMeaning{"all_answered", "whether every request was answered before the end"},
    LogKeyMeaning{"api_version", "version of Slurm's REST API in use, e.g. `v0.0.42`"},
    LogKeyMeaning{"attempt", "number of the attempt within its run, from 1"},
    LogKeyMeaning{"bytes_in", "length of the request's body"},
    LogKeyMeaning{"bytes_out", "length of the answer's body"},
    LogKeyMeaning{"cluster", "name of the cluster in the configuration"},
    LogKeyMeaning{"clusters_added", "clusters that a new configuration brings, joined by commas"},
    LogKeyMeaning{"clusters_changed", "clusters that it sets up otherwise"},
    LogKeyMeaning{"clusters_removed", "clusters that it has no more"},
    LogKeyMeaning{"controller", "the controller's id, which marks its jobs"},
    LogKeyMeaning{"duration_ms", "how long it took, in milliseconds"},
    LogKeyMeaning{"endpoint", "method and route template of a request, as in the metrics"},
    LogKeyMeaning{"error", "what went wrong, in one sentence"},
    LogKeyMeaning{"error_class",
                  "its kind: `unavailable`, `unknown`, `rejected` or `denied`; of a spec file what "
                  "the metrics call `reason`; of a gateway's request what they call `kind`"},
    LogKeyMeaning{"exit_code", "of a job"},
    LogKeyMeaning{"from", "the phase before"},
    LogKeyMeaning{"generation", "hash of the spec's content"},
    LogKeyMeaning{"guard", "which guard holds something back"},
    LogKeyMeaning{"health", "URL of the probes' own address"},
    LogKeyMeaning{"http_status", "status of the answer that was given"},
    LogKeyMeaning{"ignored_files", "how many files are no specs"},
    LogKeyMeaning{"invalid_files", "how many files have problems"},
    LogKeyMeaning{"job_id", "Slurm's number of the job"},
    LogKeyMeaning{"jobs", "how many jobs the line is about"},
    LogKeyMeaning{"message", "the status in one sentence, as `sconverge get` shows it"},
    LogKeyMeaning{"metrics", "URL of the metrics"},
    LogKeyMeaning{"name", "of a spec, within its namespace"},
    LogKeyMeaning{"namespace", "of a spec"},
    LogKeyMeaning{"operation", "`submit`, `cancel`, `update`, `hold` or `release`"},
    LogKeyMeaning{"phase", "of a spec"},
    LogKeyMeaning{"reason", "why the spec is in that phase, one word"},
    LogKeyMeaning{"result", "of an operation: `rejected`, `error` or `uncertain`"},
    LogKeyMeaning{"revision", "what is declared: a commit, or a digest of the directory"},
    LogKeyMeaning{"rpc_status", "Google's word for the answer, e.g. `OK`"},
    LogKeyMeaning{"run", "number of the run, from 1"},
    LogKeyMeaning{"settings", "keys of the configuration, joined by commas"},
    LogKeyMeaning{"slurm_status", "HTTP status of Slurm's own answer"},
    LogKeyMeaning{"slurm_version", "e.g. `24.11.5`"},
    LogKeyMeaning{"source", "the watched directory"},
    LogKeyMeaning{"specs", "how many specs the line is about"},
    LogKeyMeaning{"state", "directory of the controller's memory"},
    LogKeyMeaning{"step", "what a tick failed at: `observe` or `store`"},
    LogKeyMeaning{"tick", "number of the tick, from 1 at the start; joins the lines of one"},
    LogKeyMeaning{"token_name", "name of the token that a request carried; never the token"},
    LogKeyMeaning{"tokens", "how many tokens are in force"},
    LogKeyMeaning{"url", "where it is asked, or serves"},
    LogKeyMeaning{"user", "the Slurm user"},
    LogKeyMeaning{"valid_files", "how many files are specs"},
    LogKeyMeaning{"version", "of sconverge"},
};

inline constexpr std::array<std::string_view, 5> kLoggers{"files", "gateway", "main", "reconciler",
                                                          "web"};

namespace detail {

// Not constexpr: a call of one of these while compiling is the error message.
void this_log_key_has_no_row_in_log_words_h();
void this_logger_has_no_row_in_log_words_h();

}  // namespace detail

/// A key with a row above; another one does not compile.
class LogKey {
 public:
  consteval LogKey(const char* text) : text_(text) {  // NOLINT(google-explicit-constructor)
    if (std::none_of(kLogKeys.begin(), kLogKeys.end(),
                     [&](const LogKeyMeaning& row) { return row.key == text_; })) {
      detail::this_log_key_has_no_row_in_log_words_h();
    }
  }
  [[nodiscard]] constexpr std::string_view text() const { return text_; }
  friend constexpr bool operator==(const LogKey&, const LogKey&) = default;

 private:
  std::string_view text_;
};

/// The part that speaks; another word than those above does not compile.
class Logger {
 public:
  consteval Logger(const char* text) : text_(text) {  // NOLINT(google-explicit-constructor)
    if (std::find(kLoggers.begin(), kLoggers.end(), text_) == kLoggers.end()) {
      detail::this_logger_has_no_row_in_log_words_h();
    }
  }
  [[nodiscard]] constexpr std::string_view text() const { return text_; }
  friend constexpr bool operator==(const Logger&, const Logger&) = default;

 private:
  std::string_view text_;
};

/// Text that stands in the source as it is, so that it can be searched for; nothing that is put
/// together compiles.
class LogMessage {
 public:
  consteval LogMessage(const char* text) : text_(text) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] constexpr std::string_view text() const { return text_; }
  friend constexpr bool operator==(const LogMessage&, const LogMessage&) = default;

 private:
  std::string_view text_;
};

}  // namespace sconverge
