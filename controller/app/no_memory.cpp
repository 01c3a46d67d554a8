#include "controller/app/no_memory.h"

namespace sconverge {
namespace {

Error takes_nothing() { return {ErrorKind::Rejected, "there is no state to write to"}; }

class NoMemory : public Store {
 public:
  Result<History> load() override { return History{}; }
  Result<Done> save(const History&, const std::vector<SpecName>&) override {
    return takes_nothing();
  }
  Result<std::vector<Request>> requests() override { return std::vector<Request>{}; }
  Result<Done> add_request(const Request&) override { return takes_nothing(); }
  Result<Done> answered(const std::vector<Request>&) override { return takes_nothing(); }
  Result<Done> publish(const Published&) override { return takes_nothing(); }
  Result<Published> published() override {
    return Error{ErrorKind::Unavailable, "no controller has run yet"};
  }
  std::optional<std::uint64_t> size_bytes() const override { return {}; }
};

}  // namespace

std::unique_ptr<Store> make_no_memory() { return std::make_unique<NoMemory>(); }

}  // namespace sconverge
