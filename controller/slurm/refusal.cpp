#include "controller/slurm/refusal.h"

#include <algorithm>
#include <array>
#include <functional>

namespace sconverge {
namespace {

/// What an errno says about the request, whatever it was for.
enum class Meaning {
  NotReached,   ///< turned away or never delivered: nothing happened, try again
  Limit,        ///< the same, but trying again soon is of no use
  Doubt,        ///< it may have been carried out
  Refused,      ///< Slurm looked at it and does not want it
  Credentials,  ///< Slurm does not believe us
  Forbidden,    ///< Slurm believes us and says no
};

struct Row {
  int first;
  int last;
  Meaning meaning;
};

/// Slurm's errnos (slurm_errno.h, Slurm 24.11 to 26.05). The first row that fits counts; what has
/// none is in doubt.
constexpr std::array kMeanings{
    Row{11, 11, Meaning::Limit},           // EAGAIN: MaxJobCount is reached (up to 25.11)
    Row{1001, 1001, Meaning::NotReached},  // no connection to slurmctld or slurmdbd
    Row{1005, 1006, Meaning::NotReached},  // protocol versions of slurmrestd and slurmctld differ
    Row{1007, 1007, Meaning::Credentials},
    Row{1800, 1800, Meaning::NotReached},  // no connection to slurmctld; 1801 to 1803: it broke off
    Row{1804, 1804, Meaning::Limit},       // RPC rate limit
    Row{2002, 2002, Meaning::Forbidden},
    Row{2007, 2007, Meaning::Limit},       // MaxJobCount is reached (26.05)
    Row{2010, 2010, Meaning::Forbidden},   // Slurm does not know the user
    Row{2016, 2016, Meaning::Limit},       // nodes busy
    Row{2019, 2019, Meaning::Limit},       // slurmctld cannot write the script: its disk is full
    Row{2020, 2020, Meaning::NotReached},  // the job is changing its state
    Row{2022, 2022, Meaning::NotReached},
    Row{2027, 2027, Meaning::NotReached},  // standby controller
    Row{2037, 2037, Meaning::NotReached},  // presently disabled
    Row{2040, 2041, Meaning::Limit},       // no licences; a takeover is going on
    Row{2049, 2049, Meaning::Limit},       // slurmctld needs a restart
    Row{2050, 2050, Meaning::Limit},       // a limit of account, user or QOS
    Row{2055, 2055, Meaning::Limit},       // reservation busy
    Row{2059, 2059, Meaning::Limit},       // ports busy
    Row{2061, 2061, Meaning::NotReached},  // prolog running
    Row{2068, 2068, Meaning::Limit},       // a node is not available
    Row{2070, 2070, Meaning::Limit},       // partition inactive
    Row{2090, 2090, Meaning::Doubt},       // internal error
    Row{2100, 2101, Meaning::Limit},       // burst buffer wait; partition down
    Row{2105, 2105, Meaning::Limit},       // submissions are disabled
    Row{2120, 2120, Meaning::Limit},       // reboot in progress
    Row{2125, 2125, Meaning::Limit},       // deferred
    Row{2131, 2131, Meaning::NotReached},  // standby controller, use the backup
    Row{2000, 2999, Meaning::Refused},     // everything else that slurmctld checks
    Row{6000, 6099, Meaning::Credentials},
    Row{7000, 7000, Meaning::NotReached},  // no connection to slurmdbd
    Row{7006, 7007, Meaning::Limit},       // too much asked of accounting
    Row{7008, 7008, Meaning::NotReached},
    Row{8002, 8099, Meaning::NotReached},  // slurmrestd could not load a plugin, a known race
    Row{8000, 8001, Meaning::Refused},     // a time limit is required
    Row{9008, 9008, Meaning::Credentials},
    Row{9000, 9399, Meaning::Refused},  // slurmrestd could not read the request
};

Meaning meaning_of_errno(int number) {
  const auto* row = std::find_if(kMeanings.begin(), kMeanings.end(), [&](const Row& candidate) {
    return candidate.first <= number && number <= candidate.last;
  });
  return row != kMeanings.end() ? row->meaning : Meaning::Doubt;
}

/// Where Slurm gave no errno: slurmrestd's own refusals, and those of proxies before it.
Meaning meaning_of_status(int status) {
  switch (status) {
    case 401:
    case 511:
      return Meaning::Credentials;
    case 403:
      return Meaning::Forbidden;
    case 404:
    case 405:
      return Meaning::NotReached;
    case 429:
      return Meaning::Limit;
    case 400:
    case 406:
    case 411:
    case 413:
    case 414:
    case 415:
    case 417:
    case 422:
      return Meaning::Refused;
    default:
      return Meaning::Doubt;
  }
}

ErrorKind kind_of(Meaning meaning, Purpose purpose) {
  const bool reads = purpose == Purpose::Read;
  // A submit or update may ask for what only operators may have: that is the spec's matter.
  const bool has_content = purpose == Purpose::Submit || purpose == Purpose::Change;
  switch (meaning) {
    case Meaning::NotReached:
    case Meaning::Limit:
      return ErrorKind::Unavailable;
    case Meaning::Doubt:
      return reads ? ErrorKind::Unavailable : ErrorKind::Unknown;
    case Meaning::Refused:
      // There is nobody who could change what we read.
      return reads ? ErrorKind::Unavailable : ErrorKind::Rejected;
    case Meaning::Credentials:
      return ErrorKind::Denied;
    case Meaning::Forbidden:
      return has_content ? ErrorKind::Rejected : ErrorKind::Denied;
  }
  return ErrorKind::Unknown;
}

/// There is no such job, it is done already, or accounting knows nothing of the kind.
constexpr std::array kGone{2017, 2021, 9003};

ApiFailure failure_of(Meaning meaning) {
  switch (meaning) {
    case Meaning::NotReached:
      return ApiFailure::Unavailable;
    case Meaning::Limit:
      return ApiFailure::Limit;
    case Meaning::Doubt:
      return ApiFailure::Unspecified;
    case Meaning::Refused:
      return ApiFailure::Rejected;
    case Meaning::Credentials:
      return ApiFailure::Credentials;
    case Meaning::Forbidden:
      return ApiFailure::Forbidden;
  }
  return ApiFailure::Unspecified;
}

/// Whether the number means anything. Slurm 24.11 answers -1 ("Unspecified error") to a read and 1
/// ("Operation not permitted") to a cancel while slurmctld is down, so both say nothing.
bool is_telling(const SlurmComplaint& complaint) { return complaint.number > 1; }

/// The complaint that says most; null if there is none at all.
const SlurmComplaint* leading(const AnswerBody& body) {
  for (const auto& list : {std::cref(body.errors), std::cref(body.job_failures)}) {
    for (const SlurmComplaint& complaint : list.get()) {
      if (is_telling(complaint)) return &complaint;
    }
  }
  return body.errors.empty() ? nullptr : &body.errors.front();
}

std::string described(const SlurmComplaint& complaint) {
  std::string text = complaint.text.empty() ? "an error without a text" : complaint.text;
  return text + " (errno " + std::to_string(complaint.number) + ")";
}

}  // namespace

bool refuses_credentials(const AnswerHead& head, const AnswerBody& body) {
  const SlurmComplaint* complaint = leading(body);
  if (complaint != nullptr && is_telling(*complaint)) {
    return meaning_of_errno(complaint->number) == Meaning::Credentials;
  }
  return meaning_of_status(head.status) == Meaning::Credentials;
}

bool is_unserved(const AnswerHead& head, const AnswerBody& body) {
  return head.status == 404 && leading(body) == nullptr;
}

std::optional<ApiFailure> api_failure_in(const AnswerHead& head, const AnswerBody& body) {
  const SlurmComplaint* complaint = leading(body);
  if (complaint != nullptr && is_telling(*complaint)) {
    const int number = complaint->number;
    if (std::find(kGone.begin(), kGone.end(), number) != kGone.end()) return ApiFailure::NotFound;
    return failure_of(meaning_of_errno(number));
  }
  const bool fine = head.status < 400 || head.status == 404;
  if (complaint == nullptr && fine) return std::nullopt;
  return failure_of(meaning_of_status(head.status));
}

Error error_of(Purpose purpose, const std::string& what, const AnswerHead& head,
               const AnswerBody& body) {
  const SlurmComplaint* complaint = leading(body);
  if (complaint != nullptr && is_telling(*complaint)) {
    Error error = error_of(purpose, what, *complaint);
    const bool later = head.retry_after.has_value() && error.kind == ErrorKind::Unavailable;
    error.retry_slowly = error.retry_slowly || later;
    return error;
  }
  const Meaning meaning = meaning_of_status(head.status);
  std::string why = "HTTP " + std::to_string(head.status);
  if (!head.refusal.empty()) {
    why = head.refusal;
  } else if (complaint != nullptr) {
    why += ", " + described(*complaint);
  } else if (!body.whole) {
    why += body.start.empty() ? " with an empty body" : ", not a JSON answer: " + body.start;
  }
  const bool slowly = meaning == Meaning::Limit || head.retry_after.has_value();
  const ErrorKind kind = kind_of(meaning, purpose);
  return {kind, what + ": " + why, 0, kind == ErrorKind::Unavailable && slowly};
}

Error error_of(Purpose purpose, const std::string& what, const SlurmComplaint& complaint) {
  const Meaning meaning = meaning_of_errno(complaint.number);
  return {kind_of(meaning, purpose), what + ": " + described(complaint), complaint.number,
          meaning == Meaning::Limit};
}

}  // namespace sconverge
