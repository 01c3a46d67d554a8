#include "specs/metadata.h"

#include <array>

#include "specs/label.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

constexpr std::string_view kReservedPrefix = "sconverge/";
constexpr std::string_view kProtect = "sconverge/protect";
constexpr std::size_t kMaxAnnotationBytes = std::size_t{256} * 1024;

std::optional<std::string> read_name(const DocumentNode& node, const Place& place,
                                     ProblemSink& problems) {
  auto text = text_of(node, place, problems);
  if (!text || is_dns_label(*text)) return text;
  report(problems, node, place, in_quotes(*text) + " is not a valid name",
         "use 1 to 63 of a-z, 0-9 and -, with a letter or digit at both ends");
  return std::nullopt;
}

void check_key(const DocumentNode& key, const Place& place, ProblemSink& problems) {
  if (is_label_key(key.text)) return;
  report(problems, key, place, in_quotes(key.text) + " is not a valid key",
         "use at most 63 of A-Z, a-z, 0-9, -, _ and ., after an optional DNS name and /");
}

std::map<std::string, std::string> read_labels(const DocumentNode& node, const Place& place,
                                               ProblemSink& problems) {
  std::map<std::string, std::string> labels;
  visit_map(
      node, place, problems,
      [&](const DocumentNode& key, const DocumentNode& value, const Place& here) {
        check_key(key, here, problems);
        const auto text = text_of(value, here, problems);
        if (text && !is_label_value(*text)) {
          report(
              problems, value, here, in_quotes(*text) + " is not a label value",
              "use at most 63 of A-Z, a-z, 0-9, -, _ and ., with a letter or digit at both ends");
        }
        if (text) labels[key.text] = *text;
      });
  return labels;
}

// A misspelt protection would protect nothing, so the reserved prefix takes no unknown names.
void check_reserved(const DocumentNode& key, const DocumentNode& value, const Place& place,
                    ProblemSink& problems) {
  static constexpr std::array known = {kProtect};
  if (!key.text.starts_with(kReservedPrefix)) return;
  if (key.text != kProtect) {
    report_unknown(problems, key, place, known);
  } else if (value.text != "true" && value.text != "false") {
    report(problems, value, place, in_quotes(value.text) + " is not \"true\" or \"false\"",
           "write \"true\" to protect the job, quotes included");
  }
}

std::map<std::string, std::string> read_annotations(const DocumentNode& node, const Place& place,
                                                    ProblemSink& problems) {
  std::map<std::string, std::string> annotations;
  std::size_t bytes = 0;
  visit_map(node, place, problems,
            [&](const DocumentNode& key, const DocumentNode& value, const Place& here) {
              check_key(key, here, problems);
              const auto text = text_of(value, here, problems);
              if (!text) return;
              check_reserved(key, value, here, problems);
              bytes += key.text.size() + text->size();
              annotations[key.text] = *text;
            });
  if (bytes > kMaxAnnotationBytes) {
    report(problems, node, place, "the annotations are larger than 256 KiB", "keep them shorter",
           ProblemKind::TooLarge);
  }
  return annotations;
}

}  // namespace

Metadata read_metadata(const DocumentNode& node, const Place& place, ProblemSink& problems) {
  static constexpr std::array<std::string_view, 4> known = {"annotations", "labels", "name",
                                                            "namespace"};
  Metadata metadata;
  std::optional<std::string> name;
  std::optional<std::string> name_space = "default";
  visit_map(node, place, problems,
            [&](const DocumentNode& key, const DocumentNode& value, const Place& here) {
              if (key.text == "name") {
                metadata.name_node = &value;
                name = read_name(value, here, problems);
              } else if (key.text == "namespace") {
                name_space = read_name(value, here, problems);
              } else if (key.text == "labels") {
                metadata.labels = read_labels(value, here, problems);
              } else if (key.text == "annotations") {
                metadata.annotations = read_annotations(value, here, problems);
              } else {
                report_unknown(problems, key, here, known);
              }
            });
  if (node.kind == NodeKind::Map && metadata.name_node == nullptr) {
    report(problems, node, Place{&place, "name"}, "is missing", "write e.g. `name: train-resnet`");
  }
  if (name && name_space) metadata.name = SpecName{*name_space, *name};
  return metadata;
}

}  // namespace sconverge
