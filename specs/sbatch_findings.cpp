#include "specs/sbatch_findings.h"

#include <algorithm>
#include <string>
#include <utility>

#include "specs/utf8.h"

namespace sconverge {
namespace {

void make_printable(std::string& text) {
  if (!first_invalid_utf8(text)) return;
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
}

void keep(ScriptProblem finding, std::vector<ScriptProblem>& findings) {
  if (findings.size() >= kMaxFindings) return;
  make_printable(finding.what);
  make_printable(finding.remedy);
  findings.push_back(std::move(finding));
}

}  // namespace

void SbatchFindings::refuse(ScriptProblem problem) { keep(std::move(problem), problems); }

void SbatchFindings::note(ScriptProblem note) { keep(std::move(note), notes); }

}  // namespace sconverge
