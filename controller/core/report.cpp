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

std::string_view to_text(ScanTrigger trigger) {
  switch (trigger) {
    case ScanTrigger::Startup:
      return "startup";
    case ScanTrigger::Event:
      return "event";
    case ScanTrigger::Poll:
      return "poll";
    case ScanTrigger::Signal:
      return "signal";
  }
  std::abort();
}

std::string_view to_text(WatchEvent event) {
  switch (event) {
    case WatchEvent::Create:
      return "create";
    case WatchEvent::Modify:
      return "modify";
    case WatchEvent::Delete:
      return "delete";
    case WatchEvent::Move:
      return "move";
    case WatchEvent::Overflow:
      return "overflow";
  }
  std::abort();
}

}  // namespace sconverge
