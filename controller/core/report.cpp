#include "controller/core/report.h"

#include <cstdlib>

namespace sconverge {

std::string_view to_text(Operation operation) {
  switch (operation) {
    case Operation::Submit:
      return "submit";
    case Operation::Cancel:
      return "cancel";
    case Operation::Update:
      return "update";
    case Operation::Hold:
      return "hold";
    case Operation::Release:
      return "release";
  }
  std::abort();
}

std::string_view to_text(OperationResult result) {
  switch (result) {
    case OperationResult::Success:
      return "success";
    case OperationResult::Rejected:
      return "rejected";
    case OperationResult::Error:
      return "error";
    case OperationResult::Uncertain:
      return "uncertain";
  }
  std::abort();
}

}  // namespace sconverge
