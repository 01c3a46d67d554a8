#include "controller/ports/http_client.h"

namespace sconverge {

std::string_view to_text(HttpMethod method) {
  switch (method) {
    case HttpMethod::Get:
      return "GET";
    case HttpMethod::Post:
      return "POST";
    case HttpMethod::Delete:
      return "DELETE";
  }
  return "";
}

Result<HttpReply> exchange_whole(HttpClient& client, const HttpCall& call, std::size_t most_bytes) {
  HttpReply reply;
  bool too_large = false;
  auto head = client.exchange(call, [&](ByteSource& bytes) {
    for (auto part = bytes.next(); !part.empty(); part = bytes.next()) {
      too_large = reply.body.size() + part.size() > most_bytes;
      if (too_large) return;
      reply.body.append(part);
    }
  });
  if (!head) return head.error();
  if (too_large) {
    return Error{ErrorKind::Unknown,
                 "the answer is larger than " + std::to_string(most_bytes) + " bytes"};
  }
  reply.head = std::move(*head);
  return reply;
}

}  // namespace sconverge
