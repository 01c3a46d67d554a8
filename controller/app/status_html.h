#pragma once

#include <string>

#include "controller/app/status_view.h"

namespace sconverge {

/// The status page for a browser: one document without scripts and without anything from elsewhere.
/// Any text in it is made printable and escaped.
std::string status_html(const StatusView& view, const std::string& version);

/// The Content-Security-Policy it is to be sent with: nothing is allowed but its own style.
const std::string& status_html_policy();

}  // namespace sconverge
