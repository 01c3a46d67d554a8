#include <algorithm>
#include <array>
#include <istream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "controller/app/connection.h"
#include "controller/app/file_text.h"
#include "controller/app/verbs.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostBodyBytes = std::size_t{64} * 1024 * 1024;

std::optional<HttpMethod> method_in(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  for (const auto method : {HttpMethod::Get, HttpMethod::Post, HttpMethod::Delete}) {
    const std::string name(to_text(method));
    if (word == name || word == "HTTP_METHOD_" + name) return method;
  }
  return std::nullopt;
}

Error usage(std::string message) { return {ErrorKind::Rejected, std::move(message)}; }

Result<std::string> body_in(const std::string& argument, const Console& console) {
  std::string text = argument;
  if (argument == "-") {
    text.assign(std::istreambuf_iterator<char>(console.in), std::istreambuf_iterator<char>());
  } else if (argument.starts_with('@')) {
    FileText file = read_whole_file(argument.substr(1), kMostBodyBytes);
    if (!file.error.empty()) return usage(argument.substr(1) + ": " + file.error);
    text = std::move(file.text);
  }
  if (!ordered_json::accept(text)) {
    return usage(
        "the body is not JSON; write {...}, @FILE for a file, or - for the standard input");
  }
  return text;
}

Result<SlurmCall> call_in(const ApiOptions& options, const Console& console) {
  const auto method = method_in(options.method);
  if (!method) return usage(in_quotes(options.method) + " is not GET, POST or DELETE");
  if (!options.path.starts_with('/')) {
    return usage(in_quotes(options.path) + " is not a path; write e.g. /slurm/v0.0.42/jobs/");
  }
  const bool post = *method == HttpMethod::Post;
  if (post == options.body.empty()) {
    return usage(post ? "POST needs a body: JSON, @FILE, or - for the standard input"
                      : std::string(to_text(*method)) + " takes no body");
  }
  SlurmCall call{.method = *method, .path = options.path, .at_most_once = post};
  if (!post) return call;
  auto body = body_in(options.body, console);
  if (!body) return body.error();
  call.body = std::move(*body);
  return call;
}

/// Indented, if it is JSON.
std::string readable(const std::string& answer) {
  const auto json = ordered_json::parse(answer, nullptr, false);
  if (json.is_discarded()) return answer;
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace

ExitCode verb_api(const ApiOptions& options, const Config& config, const Console& console) {
  const auto call = call_in(options, console);
  if (!call) return fail(console, call.error().message, ExitCode::Usage);
  const ClusterConfig* cluster = find_cluster(config, config.default_cluster);
  if (cluster == nullptr) return fail(console, "no cluster is configured", ExitCode::Usage);
  const auto transport = make_transport(*cluster, console.clock);
  if (!transport) return fail(console, transport.error().message, ExitCode::Usage);

  std::string answer;
  const auto head = (*transport)->exchange(*call, [&](ByteSource& bytes) {
    answer.clear();
    for (auto part = bytes.next(); !part.empty(); part = bytes.next()) answer.append(part);
  });
  if (!head) return fail(console, head.error().message, exit_code_of(head.error()));
  if (!head->refusal.empty()) return fail(console, head->refusal);
  if (!answer.empty()) console.out << readable(answer) << "\n";
  const bool success = head->status >= 200 && head->status < 300;
  if (success) return ExitCode::Ok;
  return fail(console, "Slurm answered HTTP " + std::to_string(head->status));
}

}  // namespace sconverge
