#include "controller/app/status_html.h"

#include <string_view>

#include "controller/app/printable.h"
#include "controller/app/render_get.h"
#include "controller/app/status_style.h"
#include "controller/app/status_text.h"
#include "controller/app/time_text.h"
#include "controller/gateway/token_entries.h"
#include "controller/google/base64.h"

namespace sconverge {
namespace {

constexpr std::size_t kMostNotes = 50;
constexpr std::size_t kMostSpaces = 40;

/// As text between tags, or in an attribute's double quotes.
std::string html(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string html(std::size_t count) { return std::to_string(count); }

std::string_view class_of(Phase phase) {
  switch (style_of(phase)) {
    case Style::Green:
      return "good";
    case Style::Cyan:
      return "run";
    case Style::Yellow:
      return "wait";
    case Style::Red:
      return "bad";
    case Style::Plain:
    case Style::Bold:
    case Style::Dim:
      break;
  }
  return "off";
}

/// A sentence that ends in ": COMMAND", with the command set off.
std::string with_command(const std::string& sentence) {
  const auto at = sentence.rfind(": sconverge ");
  if (at == std::string::npos) return html(sentence);
  return html(sentence.substr(0, at)) + ": <code>" + html(sentence.substr(at + 2)) + "</code>";
}

class Page {
 public:
  Page(const StatusView& view, const std::string& version) : view_(view), version_(version) {}

  std::string text() && {
    add("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>sconverge</title>\n<style>");
    add(status_style());
    add("</style>\n</head>\n<body>\n");
    add_header();
    add("<main>\n");
    add_notes("Worth a look", "notes", view_.findings);
    add_notes("Files that are refused", "notes files", view_.problems);
    add_clusters();
    add_phases();
    add_table();
    add("</main>\n<footer><a href=\"/api/v1/specs\">/api/v1/specs</a> &middot; "
        "<a href=\"/metrics\">/metrics</a> &middot; <a href=\"/livez?verbose\">/livez</a> &middot; "
        "<a href=\"/readyz?verbose\">/readyz</a></footer>\n</body>\n</html>\n");
    return std::move(out_);
  }

 private:
  void add(std::string_view text) { out_ += text; }

  void add_header() {
    std::string who;
    for (const auto& cluster : view_.clusters) who = cluster.tick->published.controller_id;
    add("<header><h1>sconverge</h1><span class=\"soft\">" + html(version_) +
        (who.empty() ? "" : " &middot; controller " + html(who)) + " &middot; " +
        time_text(view_.now) + "</span></header>\n");
  }

  void add_notes(std::string_view title, std::string_view look,
                 const std::vector<std::string>& notes) {
    if (notes.empty()) return;
    add("<h2>" + html(title) + "</h2>\n<ul class=\"card " + std::string(look) + "\">\n");
    for (std::size_t i = 0; i < notes.size() && i < kMostNotes; ++i) {
      add("<li>" + with_command(notes[i]) + "</li>\n");
    }
    if (notes.size() > kMostNotes) {
      add("<li>and " + html(notes.size() - kMostNotes) + " more</li>\n");
    }
    add("</ul>\n");
  }

  void add_clusters() {
    add("<h2>Clusters</h2>\n<div class=\"cards\">\n");
    for (const auto& cluster : view_.clusters) add_cluster(cluster);
    add("</div>\n");
  }

  void add_cluster(const ClusterView& cluster) {
    const Published& published = cluster.tick->published;
    const bool ticked = published.at != TimePoint{};
    const bool good = published.error.empty() && published.source_complete;
    add("<section class=\"card " +
        std::string(!ticked ? "wait"
                    : good  ? "good"
                            : "bad") +
        "\"><h3><span class=\"dot\"></span>" + html(published.cluster) + "</h3>\n<dl>");
    add_entry("last tick", tick_text(*cluster.tick, view_.now));
    if (!published.error.empty()) add_entry("failed", published.error);
    add_entry("Slurm", connection_text(cluster));
    if (ticked) {
      if (!published.revision.empty()) add_entry("revision", published.revision);
      add_entry("source", files_text(*cluster.tick));
      if (!published.source_complete) add_entry("incomplete", published.source_reason);
      add_entry("specs", std::to_string(published.statuses.size()));
    }
    add("</dl></section>\n");
  }

  void add_entry(std::string_view term, std::string_view text) {
    add("<dt>" + html(term) + "</dt><dd>" + html(text) + "</dd>");
  }

  void add_link(const SpecFilter& filter, bool on, const std::string& inside) {
    add("<a href=\"/" + html(query_text(filter)) + "\"" + (on ? " class=\"on\"" : "") + ">" +
        inside + "</a>\n");
  }

  void add_phases() {
    add("<h2>Specs</h2>\n");
    add_bar();
    add("<nav>\n");
    add_link({view_.filter.name_space}, view_.filter.phases.empty(),
             "all<b>" + html(view_.in_space) + "</b>");
    for (const auto& [phase, count] : view_.phases) {
      const bool on = view_.filter.phases == std::vector{phase};
      add_link({view_.filter.name_space, {phase}}, on,
               "<span class=\"dot " + std::string(class_of(phase)) + "\"></span>" +
                   html(to_text(phase)) + "<b>" + html(count) + "</b>");
    }
    add("</nav>\n");
    if (view_.spaces.size() > 1) add_spaces();
  }

  /// How the specs are spread over the phases.
  void add_bar() {
    if (view_.in_space == 0) return;
    const std::string whole = html(view_.in_space);
    add("<svg viewBox=\"0 0 " + whole +
        " 1\" preserveAspectRatio=\"none\" "
        "shape-rendering=\"crispEdges\" aria-hidden=\"true\">");
    std::size_t at = 0;
    for (const auto& [phase, count] : view_.phases) {
      add("<rect class=\"" + std::string(class_of(phase)) + "\" x=\"" + html(at) + "\" width=\"" +
          html(count) + "\" height=\"1\"/>");
      at += count;
    }
    add("</svg>\n");
  }

  void add_spaces() {
    add("<nav>\n");
    add_link({"", view_.filter.phases}, view_.filter.name_space.empty(), "all namespaces");
    std::size_t shown = 0;
    for (const auto& [space, count] : view_.spaces) {
      if (++shown > kMostSpaces) break;
      add_link({space, view_.filter.phases}, view_.filter.name_space == space,
               html(space) + "<b>" + html(count) + "</b>");
    }
    add("</nav>\n");
    if (view_.spaces.size() > kMostSpaces) {
      add("<p class=\"soft\">and " + html(view_.spaces.size() - kMostSpaces) +
          " more namespaces; /?namespace=NAME shows one</p>\n");
    }
  }

  void add_table() {
    if (view_.rows.empty()) {
      add(view_.filter.is_set() ? "<p class=\"soft\">No specs are like that.</p>\n"
                                : "<p class=\"soft\">No specs yet.</p>\n");
      return;
    }
    const bool clusters = view_.clusters.size() > 1;
    add("<div class=\"card wide\"><table>\n");
    if (view_.matching > view_.rows.size()) {
      add("<caption>The first " + html(view_.rows.size()) + " of " + html(view_.matching) +
          ", what needs somebody before what goes well; <a href=\"/api/v1/specs" +
          html(query_text(view_.filter)) + "\">all of them as JSON</a></caption>\n");
    }
    add("<thead><tr><th>Name</th>");
    if (clusters) add("<th>Cluster</th>");
    add("<th>Phase</th><th>Reason</th><th>Message</th><th>Job</th><th>Since</th></tr></thead>\n"
        "<tbody>\n");
    for (const auto& row : view_.rows) add_row(row, clusters);
    add("</tbody></table></div>\n");
  }

  void add_row(const StatusView::Row& row, bool clusters) {
    const SpecStatus& status = *row.status;
    add("<tr><td class=\"name\">");
    if (view_.spaces.size() > 1) {
      add("<span class=\"soft\">" + html(status.name.name_space) + "/</span>");
    }
    add(html(status.name.name) + "</td>");
    if (clusters) add("<td class=\"cluster\">" + html(*row.cluster) + "</td>");
    const Phase phase = status.verdict.phase;
    add("<td class=\"phase\"><span class=\"dot " + std::string(class_of(phase)) + "\"></span>" +
        html(to_text(phase)) + "</td><td class=\"reason\">" + html(to_text(status.verdict.reason)) +
        "</td><td class=\"message\">" + with_command(status.verdict.message) +
        "</td><td class=\"job\">" + (status.job ? html(to_text(*status.job)) : "") +
        "</td><td class=\"since\">");
    if (status.since != TimePoint{}) {
      add("<time datetime=\"" + time_text(status.since) + "\" title=\"" + time_text(status.since) +
          "\">" + age_text(view_.now - status.since) + "</time>");
    }
    add("</td></tr>\n");
  }

  const StatusView& view_;
  const std::string& version_;
  std::string out_{};
};

}  // namespace

std::string status_html(const StatusView& view, const std::string& version) {
  return Page(view, version).text();
}

const std::string& status_html_policy() {
  static const std::string policy = [] {
    const Sha256 digest = sha256_of(status_style());
    const std::string_view bytes(reinterpret_cast<const char*>(digest.data()), digest.size());
    return "default-src 'none'; style-src 'sha256-" + base64(bytes) +
           "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  }();
  return policy;
}

}  // namespace sconverge
