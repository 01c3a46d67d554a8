#include "controller/gateway/gateway.h"

#include <exception>
#include <utility>

#include "specs/utf8.h"

namespace sconverge {
namespace {

constexpr int kInvalidJobId = 2017;  // slurm_errno.h

/// Clients may escape the colon; nothing else of the path needs an escape.
std::string with_plain_colons(std::string path) {
  for (const char* escape : {"%3A", "%3a"}) {
    for (auto at = path.find(escape); at != std::string::npos; at = path.find(escape, at)) {
      path.replace(at, 3, ":");
    }
  }
  return path;
}

RpcAnswer unauthenticated() {
  return refusal(RpcStatus::Unauthenticated,
                 "the request carries no valid token; send the header Authorization: Bearer TOKEN "
                 "with a token that this gateway knows");
}

Error too_large(std::size_t most_bytes) {
  return {
      ErrorKind::Rejected,
      "the request is not smaller than " + std::to_string(most_bytes + 1) +
          " bytes; put a large script on shared storage of the cluster and call it from a short "
          "one"};
}

/// Whose the job is cannot be told for sure from anything else.
std::optional<std::string> owner_of(const JobOwners& owners) {
  if (owners.rows == 0 || owners.rows_without_user > 0 || owners.users.size() != 1) {
    return std::nullopt;
  }
  return *owners.users.begin();
}

}  // namespace

Gateway::Gateway(GatewayOptions options, Transport& transport, BearerTokens& tokens)
    : options_(std::move(options)),
      url_path_("/v1beta1/projects/" + options_.project + "/locations/" + options_.region +
                "/modelDevelopmentClusters/" + options_.cluster + ":callSlurmRestApi"),
      transport_(transport),
      tokens_(tokens) {}

HttpAnswer Gateway::answer(const HttpRequest& request) {
  const auto began = options_.now();
  GatewayExchange exchange;
  exchange.bytes_in = request.body.size();
  RpcAnswer answer;
  try {
    answer = serve(request, exchange);
  } catch (const std::exception&) {
    answer = refusal(RpcStatus::Internal,
                     "the gateway failed; if the call changes something, it may have been carried "
                     "out, so look with HTTP_METHOD_GET before sending it again");
  }
  exchange.code = answer.http.status;
  exchange.status = to_text(answer.status);
  exchange.bytes_out = answer.http.body.size();
  exchange.seconds = std::chrono::duration<double>(options_.now() - began).count();
  if (options_.observe) options_.observe(exchange);
  return std::move(answer.http);
}

RpcAnswer Gateway::serve(const HttpRequest& request, GatewayExchange& exchange) {
  const auto bearer = tokens_.bearer_of(request.authorization);
  if (!bearer) return unauthenticated();
  exchange.token_name = bearer->name;
  if (with_plain_colons(request.path) != url_path_) {
    return refusal(RpcStatus::NotFound, "there is no " + in_quotes(request.path) +
                                            " here; this gateway serves POST " + url_path_);
  }
  const auto call = read_call(request, *bearer, exchange);
  if (!call) return refusal(call.error());
  if (const auto fields = check_user_fields(*call); !fields) return refusal(fields.error());
  if (auto refused = check_owner(*call, exchange)) return std::move(*refused);
  SlurmCall slurm_call{call->envelope.method, call->path.text, call->envelope.body};
  slurm_call.at_most_once = call->purpose != CallPurpose::Read;
  auto answer = ask_slurm(transport_, slurm_call, options_.most_answer_bytes, exchange.upstream);
  if (!answer) return refusal(answer.error());
  return pass_on(std::move(*answer), exchange);
}

Result<Gateway::Call> Gateway::read_call(const HttpRequest& request, const Bearer& bearer,
                                         GatewayExchange& exchange) const {
  if (request.method != "POST") {
    return Error{ErrorKind::Rejected, "the HTTP method " + in_quotes(request.method) +
                                          " is not supported; send POST, with Slurm's method in "
                                          "the field method"};
  }
  if (request.body_too_large || request.body.size() > options_.most_request_bytes) {
    return too_large(options_.most_request_bytes);
  }
  auto envelope = read_call_envelope(request.body);
  if (!envelope) return envelope.error();
  exchange.method = to_text(envelope->method);
  auto path = read_slurm_path(envelope->path, options_.queries);
  if (!path) return path.error();
  exchange.route = route_of(*path);
  if (bearer.permission == TokenPermission::Read && envelope->method != HttpMethod::Get) {
    return Error{ErrorKind::Denied,
                 "the token has the permission read, which is for HTTP_METHOD_GET only; use one "
                 "with the permission run"};
  }
  const auto purpose = purpose_of(envelope->method, *path);
  if (!purpose) return purpose.error();
  return Call{std::move(*envelope), std::move(*path), *purpose};
}

Result<Done> Gateway::check_user_fields(const Call& call) const {
  if (call.purpose != CallPurpose::Submit && call.purpose != CallPurpose::ChangeJob) return Done{};
  const auto field = field_of_a_user(call.envelope.body);
  if (!field) return field.error();
  if (!field->has_value()) return Done{};
  const std::string user = transport_.user();
  return Error{ErrorKind::Rejected, "jobs run as " + (user.empty() ? "the gateway's user" : user) +
                                        " and nobody else; leave out " + in_quotes(**field)};
}

/// Nothing: the call may go on.
std::optional<RpcAnswer> Gateway::check_owner(const Call& call, GatewayExchange& exchange) {
  if (call.purpose != CallPurpose::ChangeJob && call.purpose != CallPurpose::CancelJob) {
    return std::nullopt;
  }
  const auto& id = call.path.segments[1];
  const SlurmCall look{HttpMethod::Get, "/slurm/" + call.path.version + "/job/" + id.sent};
  auto answer = ask_slurm(transport_, look, options_.most_answer_bytes, exchange.upstream);
  if (!answer) {
    return refusal(RpcStatus::Unavailable,
                   "whose job " + id.decoded +
                       " is could not be read, so nothing was sent on: " + answer.error().message);
  }
  const JobOwners owners = read_job_owners(answer->envelope.body());
  // There is no such job: what that means for a change or a cancel is Slurm's to say.
  if (owners.rows == 0 && owners.error_numbers.contains(kInvalidJobId)) return std::nullopt;
  // This API version is not served, for example, or Slurm does not take the id.
  if (answer->status >= 400 && answer->status < 500 && owners.rows == 0)
    return pass_on(std::move(*answer), exchange);
  if (answer->status != 200 || !owners.readable || owners.rows == 0) {
    return refusal(RpcStatus::Unavailable, "whose job " + id.decoded +
                                               " is could not be read, so nothing was sent on; "
                                               "Slurm answered with status " +
                                               std::to_string(answer->status) +
                                               "; try again after a short wait");
  }
  const std::string user = transport_.user();
  const auto owner = owner_of(owners);
  if (owner && !user.empty() && *owner == user) return std::nullopt;
  return refusal(RpcStatus::PermissionDenied, "job " + id.decoded + " is not a job of " +
                                                  (user.empty() ? "the gateway's user" : user) +
                                                  "; only own jobs can be changed or cancelled");
}

RpcAnswer Gateway::pass_on(SlurmAnswer answer, GatewayExchange& exchange) const {
  exchange.slurm_status = answer.status;
  return {RpcStatus::Ok, {200, kJson, answer.envelope.finish(answer.status), {}}};
}

}  // namespace sconverge
