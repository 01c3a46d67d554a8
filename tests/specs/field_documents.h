#pragma once

#include <sstream>
#include <string>

namespace sconverge::test {

inline std::string indented(const std::string& lines, int by) {
  std::istringstream in(lines);
  std::string out;
  for (std::string line; std::getline(in, line);) {
    out += std::string(static_cast<std::size_t>(by), ' ') + line + "\n";
  }
  return out;
}

/// A valid document but for `lines`, which hold the field at `path` (`spec.job.nodes`, lines
/// "nodes: 2") and stand where it belongs.
inline std::string document_with(const std::string& path, const std::string& lines) {
  std::string block = lines + "\n";
  std::string top = path;
  // From the inside out: each parent gets its line, and what it cannot do without.
  for (auto dot = top.rfind('.'); dot != std::string::npos; dot = top.rfind('.')) {
    const std::string inner = top.substr(dot + 1);
    top.resize(dot);
    std::string siblings;
    if (top == "metadata" && inner != "name") siblings = "name: train\n";
    if (top == "spec" && inner != "script" && inner != "scriptFile") {
      siblings = "script: |\n  #!/bin/bash\n  srun train\n";
    }
    const auto last = top.rfind('.');
    const std::string key = last == std::string::npos ? top : top.substr(last + 1);
    block = key + ":\n" + indented(siblings + block, 2);
  }
  std::string out;
  if (top != "apiVersion") out += "apiVersion: sconverge/v1\n";
  if (top != "kind") out += "kind: Job\n";
  if (top != "metadata") out += "metadata: {name: train}\n";
  if (top != "spec") out += "spec:\n  script: |\n    #!/bin/bash\n    srun train\n";
  return out + block;
}

}  // namespace sconverge::test
