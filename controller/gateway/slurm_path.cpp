#include "controller/gateway/slurm_path.h"

#include <algorithm>
#include <array>
#include <optional>

#include "specs/utf8.h"

namespace sconverge {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Needs no escape anywhere (RFC 3986).
bool is_unreserved(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("-._~").find(c) != std::string_view::npos;
}

/// May stand in a segment unescaped (RFC 3986).
bool fits_segment(char c) {
  return is_unreserved(c) || std::string_view("!$&'()*+,;=:@").find(c) != std::string_view::npos;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The byte that an escape at the front of `text` ("%2B...") stands for.
std::optional<char> escaped_byte(std::string_view text) {
  if (text.size() < 3) return std::nullopt;
  const int high = hex_value(text[1]);
  const int low = hex_value(text[2]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<char>(high * 16 + low);
}

std::optional<std::string> decoded_segment(std::string_view sent) {
  std::string decoded;
  for (std::size_t at = 0; at < sent.size(); ++at) {
    if (sent[at] != '%') {
      if (!fits_segment(sent[at])) return std::nullopt;
      decoded += sent[at];
      continue;
    }
    const auto byte = escaped_byte(sent.substr(at));
    const bool means_something =
        byte && std::string_view("/\\%?#").find(*byte) != std::string::npos;
    if (!byte || is_unreserved(*byte) || is_control(*byte) || means_something) return std::nullopt;
    decoded += *byte;
    at += 2;
  }
  if (decoded.empty() || decoded == "." || decoded.find("..") != std::string::npos) {
    return std::nullopt;
  }
  if (first_invalid_utf8(decoded)) return std::nullopt;
  return decoded;
}

bool is_query(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '%') {
      const auto byte = escaped_byte(text.substr(at));
      if (!byte || is_control(*byte)) return false;
      at += 2;
    } else if (!fits_segment(c) && std::string_view("/?").find(c) == std::string_view::npos) {
      return false;
    }
  }
  return true;
}

/// "v0.0.42"
bool is_version(std::string_view text) {
  if (!text.starts_with('v')) return false;
  int numbers = 0;
  for (std::string_view rest = text.substr(1);; rest.remove_prefix(1)) {
    const auto end = std::find_if_not(rest.begin(), rest.end(), is_digit);
    const auto digits = static_cast<std::size_t>(end - rest.begin());
    if (digits == 0 || digits > 4) return false;
    ++numbers;
    rest.remove_prefix(digits);
    if (rest.empty()) return numbers == 3;
    if (rest.front() != '.') return false;
  }
}

Error no_slurm_path(std::string_view text, const std::string& why) {
  return {ErrorKind::Rejected,
          "path " + in_quotes(text) + " is not a Slurm path: " + why +
              "; write /slurm/v0.0.42/... or /slurmdb/v0.0.42/... with the version that the "
              "cluster serves"};
}

/// Digits, and with '_' or '+' between them another number.
bool is_job_id(std::string_view text) {
  const auto mark = text.find_first_of("_+");
  const auto all_digits = [](std::string_view part) {
    return !part.empty() && part.size() <= 10 && std::all_of(part.begin(), part.end(), is_digit);
  };
  return all_digits(text.substr(0, mark)) &&
         (mark == std::string_view::npos || all_digits(text.substr(mark + 1)));
}

struct RouteRow {
  bool accounting;
  std::string_view first;
  std::string_view second;  ///< empty: none; in braces: anything
};

/// The Slurm REST API, v0.0.40 to v0.0.45.
constexpr std::array kRoutes{
    RouteRow{false, "diag", ""},
    RouteRow{false, "job", "allocate"},
    RouteRow{false, "job", "submit"},
    RouteRow{false, "job", "{job_id}"},
    RouteRow{false, "jobs", ""},
    RouteRow{false, "jobs", "state"},
    RouteRow{false, "licenses", ""},
    RouteRow{false, "new", "node"},
    RouteRow{false, "node", "{name}"},
    RouteRow{false, "nodes", ""},
    RouteRow{false, "partition", "{name}"},
    RouteRow{false, "partitions", ""},
    RouteRow{false, "ping", ""},
    RouteRow{false, "reconfigure", ""},
    RouteRow{false, "reservation", ""},
    RouteRow{false, "reservation", "{name}"},
    RouteRow{false, "reservations", ""},
    RouteRow{false, "resources", "{job_id}"},
    RouteRow{false, "shares", ""},
    RouteRow{true, "account", "{name}"},
    RouteRow{true, "accounts", ""},
    RouteRow{true, "accounts_association", ""},
    RouteRow{true, "association", ""},
    RouteRow{true, "associations", ""},
    RouteRow{true, "cluster", "{name}"},
    RouteRow{true, "clusters", ""},
    RouteRow{true, "config", ""},
    RouteRow{true, "diag", ""},
    RouteRow{true, "instance", ""},
    RouteRow{true, "instances", ""},
    RouteRow{true, "job", "{job_id}"},
    RouteRow{true, "jobs", ""},
    RouteRow{true, "ping", ""},
    RouteRow{true, "qos", ""},
    RouteRow{true, "qos", "{name}"},
    RouteRow{true, "tres", ""},
    RouteRow{true, "user", "{name}"},
    RouteRow{true, "users", ""},
    RouteRow{true, "users_association", ""},
    RouteRow{true, "wckey", "{name}"},
    RouteRow{true, "wckeys", ""},
};

bool fits(const RouteRow& row, const SlurmPath& path) {
  if (row.accounting != path.accounting || path.segments[0].decoded != row.first) return false;
  if (row.second.empty()) return path.segments.size() == 1;
  return path.segments.size() == 2 &&
         (row.second.starts_with('{') || path.segments[1].decoded == row.second);
}

bool is_job_path(const SlurmPath& path) {
  return !path.accounting && path.segments.size() == 2 && path.segments[0].decoded == "job";
}

}  // namespace

Result<SlurmPath> read_slurm_path(std::string_view text, bool queries) {
  const auto question = text.find('?');
  if (question != std::string_view::npos) {
    if (!queries) {
      return Error{ErrorKind::Rejected, "path " + in_quotes(text) +
                                            " has a query, which is not supported here; leave out "
                                            "everything from the \"?\" on"};
    }
    if (!is_query(text.substr(question + 1))) {
      return no_slurm_path(text, "its query holds characters that must be percent-encoded");
    }
  }
  SlurmPath path;
  path.text = text;
  std::string_view rest = text.substr(0, question);
  path.accounting = rest.starts_with("/slurmdb/");
  if (!path.accounting && !rest.starts_with("/slurm/")) {
    return no_slurm_path(text, "it begins with neither /slurm/ nor /slurmdb/");
  }
  rest.remove_prefix(path.accounting ? 9 : 7);
  path.version = rest.substr(0, rest.find('/'));
  if (!is_version(path.version)) return no_slurm_path(text, "it names no API version");
  rest.remove_prefix(path.version.size());
  while (rest.size() > 1) {
    rest.remove_prefix(1);
    const std::string_view sent = rest.substr(0, rest.find('/'));
    auto decoded = decoded_segment(sent);
    if (!decoded) {
      return no_slurm_path(text,
                           "it has an empty or \".\" segment, \"..\", or characters or "
                           "escapes that do not belong there");
    }
    path.segments.push_back({std::string(sent), std::move(*decoded)});
    rest.remove_prefix(sent.size());
  }
  if (path.segments.empty()) return no_slurm_path(text, "nothing follows the version");
  return path;
}

std::string route_of(const SlurmPath& path) {
  const auto* row = std::find_if(kRoutes.begin(), kRoutes.end(),
                                 [&](const RouteRow& candidate) { return fits(candidate, path); });
  if (row == kRoutes.end()) return "other";
  std::string route = path.accounting ? "/slurmdb/{version}/" : "/slurm/{version}/";
  route += row->first;
  if (!row->second.empty()) route.append("/").append(row->second);
  return route;
}

Result<CallPurpose> purpose_of(HttpMethod method, const SlurmPath& path) {
  const bool reconfigures = !path.accounting && path.segments[0].decoded == "reconfigure";
  if (method == HttpMethod::Get && !reconfigures) return CallPurpose::Read;
  const std::string what = is_job_path(path) ? path.segments[1].decoded : "";
  if (method == HttpMethod::Post && what == "submit") return CallPurpose::Submit;
  if (method == HttpMethod::Get || what.empty() || what == "submit" || what == "allocate") {
    return Error{ErrorKind::Denied,
                 std::string(to_text(method)) + " " + in_quotes(path.text) +
                     " is not passed on: of the calls that change something only POST job/submit, "
                     "POST job/JOB_ID and DELETE job/JOB_ID are"};
  }
  if (!is_job_id(what)) {
    return Error{ErrorKind::Rejected, in_quotes(what) +
                                          " is not a job id; write a number, of an array's task "
                                          "7_3, of a heterogeneous job's component 7+1"};
  }
  return method == HttpMethod::Post ? CallPurpose::ChangeJob : CallPurpose::CancelJob;
}

}  // namespace sconverge
