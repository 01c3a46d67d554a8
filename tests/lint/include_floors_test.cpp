// The house rules that a compiler does not check: who may include whom, which files may know a
// third-party library, and how files are named and sized. To let a new file use a library, or to
// add a folder, change a row of the tables below.
#include <fnmatch.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A file may include its own folder and folders of a lower floor.
struct Floor {
  std::string_view folder;
  int floor;
};
constexpr std::array kFloors{
    Floor{"specs", 0},
    Floor{"controller/core", 1},
    Floor{"controller/ports", 2},
    Floor{"controller/slurm", 3},
    Floor{"controller/google", 3},
    Floor{"controller/gateway", 3},
    Floor{"controller/files", 3},
    Floor{"controller/store", 3},
    Floor{"controller/http", 3},
    Floor{"metrics", 3},
    Floor{"controller/app", 4},
    Floor{"tests/support", 5},
    Floor{"tests/differential", 7},  // stands on the lab and the processes of tests/e2e
    Floor{"tests/app", 7},           // stands on those processes, too
    Floor{"tests/web", 7},           // likewise
    Floor{"tests/*", 6},
};

/// Headers that begin with `prefix` are known to these files only (shell patterns, `*` stays within
/// a folder), and never to a header. What has no row, is not C++'s own and is not POSIX may be
/// included nowhere.
struct Fence {
  std::string_view prefix;
  std::vector<std::string> files;
};
const std::vector<Fence>& fences() {
  static const std::vector<Fence> rows{
      {"yaml-cpp/", {"specs/document.cpp", "controller/app/config*.cpp"}},
      {"nlohmann/",
       {"specs/job_schema.cpp", "specs/job_spec.cpp", "controller/slurm/wire*.cpp",
        "controller/store/*codec*.cpp", "controller/gateway/wire*.cpp", "controller/google/*.cpp",
        "controller/app/*.cpp", "tests/*/*.cpp"}},
      {"cpprest/", {"controller/http/http_client.cpp"}},
      {"boost/", {"controller/http/http_connection.cpp", "controller/http/http_server.cpp"}},
      {"pplx/", {"controller/http/http_client.cpp"}},
      {"prometheus/", {"metrics/*.cpp"}},
      {"spdlog/", {"controller/app/log.cpp"}},
      {"CLI/", {"controller/app/*.cpp"}},
      {"SQLiteCpp/", {"controller/store/*.cpp"}},
      {"sqlite3.h", {"controller/store/*.cpp", "tests/store/*.cpp"}},
      {"openssl/",
       {"specs/job_spec.cpp", "controller/gateway/*token*.cpp", "controller/google/base64.cpp",
        "controller/google/jwt.cpp", "controller/http/tls_identity.cpp", "controller/slurm/*.cpp",
        "tests/support/rsa_key.cpp"}},
      {"zlib.h", {"controller/http/content_coding.cpp", "tests/http/*.cpp"}},
      {"gtest/", {"tests/*/*.cpp", "tests/*/*.h"}},
      {"gmock/", {"tests/*/*.cpp", "tests/*/*.h"}},
  };
  return rows;
}

/// What the operating system gives.
constexpr std::array kSystemHeaders{
    "sys/*.h",   "netinet/*.h", "arpa/inet.h", "linux/*.h", "dirent.h", "errno.h",
    "fcntl.h",   "fnmatch.h",   "grp.h",       "limits.h",  "netdb.h",  "poll.h",
    "pthread.h", "pwd.h",       "sched.h",     "signal.h",  "spawn.h",  "stdlib.h",
    "termios.h", "time.h",      "unistd.h",    "wordexp.h",
};

constexpr std::array<std::string_view, 8> kForbiddenWords{
    "util", "utils", "common", "helper", "helpers", "manager", "managers", "base"};

constexpr int kMostLines = 400;  // outside tests

struct SourceFile {
  std::string path;  ///< relative to the root
  std::string text;
};

bool matches(const std::string& path, const std::string& pattern) {
  return fnmatch(pattern.c_str(), path.c_str(), FNM_PATHNAME) == 0;
}

bool is_header(const std::string& path) { return path.ends_with(".h"); }
bool is_test(const std::string& path) { return path.starts_with("tests/"); }

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::optional<int> floor_of(const std::string& folder) {
  for (const Floor& row : kFloors) {
    if (matches(folder, std::string(row.folder))) return row.floor;
  }
  return std::nullopt;
}

std::string check_own(const SourceFile& file, const std::string& included) {
  const std::string from = folder_of(file.path);
  const std::string to = folder_of(included);
  if (from == to) return "";
  const auto from_floor = floor_of(from);
  const auto to_floor = floor_of(to);
  if (!from_floor) return "is in a folder without a floor";
  if (!to_floor)
    return "includes \"" + included + "\", which does not start at a folder of the house";
  if (*to_floor > *from_floor) return "includes upward: \"" + included + "\"";
  if (*to_floor == *from_floor) return "includes sideways: \"" + included + "\"";
  return "";
}

std::string check_foreign(const SourceFile& file, const std::string& included) {
  if (included.find('.') == std::string::npos && included.find('/') == std::string::npos) return "";
  for (const Fence& fence : fences()) {
    if (!included.starts_with(fence.prefix)) continue;
    const bool allowed = std::any_of(fence.files.begin(), fence.files.end(),
                                     [&](const auto& row) { return matches(file.path, row); });
    return allowed ? "" : "is outside the fence of <" + included + ">";
  }
  const bool system = std::any_of(kSystemHeaders.begin(), kSystemHeaders.end(),
                                  [&](const char* row) { return matches(included, row); });
  return system ? "" : "includes <" + included + ">, which has no fence";
}

std::vector<std::string> check_includes(const SourceFile& file) {
  static const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  std::vector<std::string> found;
  std::istringstream lines(file.text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::smatch match;
    if (!std::regex_search(line, match, include)) continue;
    const std::string what =
        match[1] == "\"" ? check_own(file, match[2]) : check_foreign(file, match[2]);
    if (!what.empty()) found.push_back(file.path + ":" + std::to_string(number) + ": " + what);
  }
  return found;
}

std::vector<std::string> check_shape(const SourceFile& file) {
  std::vector<std::string> found;
  if (is_header(file.path) && file.text.find("#pragma once\n") == std::string::npos) {
    found.push_back(file.path + ": lacks #pragma once");
  }
  const auto lines = std::count(file.text.begin(), file.text.end(), '\n');
  if (!is_test(file.path) && lines > kMostLines) {
    found.push_back(file.path + ": has " + std::to_string(lines) + " lines, more than " +
                    std::to_string(kMostLines) + "; it is two ideas");
  }
  std::istringstream words(std::regex_replace(file.path, std::regex("[^A-Za-z0-9]+"), " "));
  for (std::string word; words >> word;) {
    if (std::find(kForbiddenWords.begin(), kForbiddenWords.end(), word) != kForbiddenWords.end()) {
      found.push_back(file.path + ": \"" + word + "\" says nothing about what is in it");
    }
  }
  return found;
}

std::vector<std::string> check(const SourceFile& file) {
  auto found = check_includes(file);
  const auto shape = check_shape(file);
  found.insert(found.end(), shape.begin(), shape.end());
  return found;
}

std::vector<SourceFile> all_source_files() {
  const std::filesystem::path root = SCONVERGE_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (const char* top : {"specs", "controller", "metrics", "tests"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / top)) {
      const auto ending = entry.path().extension();
      if (!entry.is_regular_file() || (ending != ".h" && ending != ".cpp")) continue;
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      files.push_back({entry.path().lexically_relative(root).string(), text.str()});
    }
  }
  return files;
}

TEST(HouseTest, EveryFileKeepsTheRules) {
  std::vector<std::string> found;
  for (const SourceFile& file : all_source_files()) {
    const auto more = check(file);
    found.insert(found.end(), more.begin(), more.end());
  }
  EXPECT_THAT(found, IsEmpty());
}

TEST(HouseTest, FilesAreFound) {
  const auto files = all_source_files();
  const auto has = [&](std::string_view path) {
    return std::any_of(files.begin(), files.end(), [&](const auto& f) { return f.path == path; });
  };
  EXPECT_TRUE(has("specs/job_spec.h"));
  EXPECT_TRUE(has("controller/core/result.h"));
  EXPECT_TRUE(has("tests/lint/include_floors_test.cpp"));
}

TEST(RulesTest, LowerFloorsAndTheOwnFolderMayBeIncluded) {
  EXPECT_THAT(check({"controller/slurm/a.cpp",
                     "#include \"controller/slurm/a.h\"\n\n#include <sys/stat.h>\n\n"
                     "#include <string>\n\n#include \"controller/ports/clock.h\"\n"
                     "#include \"specs/problem.h\"\n"}),
              IsEmpty());
}

TEST(RulesTest, AnUpwardIncludeIsFoundWithItsLine) {
  EXPECT_THAT(
      check({"controller/core/plan.cpp", "\n#include \"controller/app/loop.h\"\n"}),
      ElementsAre("controller/core/plan.cpp:2: includes upward: \"controller/app/loop.h\""));
}

TEST(RulesTest, AdaptersDoNotIncludeEachOther) {
  EXPECT_THAT(check({"controller/http/a.cpp", "#  include \"metrics/metrics.h\"\n"}),
              ElementsAre(HasSubstr("sideways")));
}

TEST(RulesTest, NothingButTestsIncludesTests) {
  EXPECT_THAT(check({"controller/app/a.cpp", "#include \"tests/support/fakes.h\"\n"}),
              ElementsAre(HasSubstr("upward")));
  EXPECT_THAT(check({"tests/core/a_test.cpp", "#include \"tests/support/fakes.h\"\n"}), IsEmpty());
  EXPECT_THAT(check({"tests/core/a_test.cpp", "#include \"tests/files/fakes.h\"\n"}),
              ElementsAre(HasSubstr("sideways")));
}

TEST(RulesTest, IncludesStartAtTheRoot) {
  EXPECT_THAT(check({"specs/read.cpp", "#include \"read.h\"\n"}),
              ElementsAre(HasSubstr("does not start at a folder of the house")));
}

TEST(RulesTest, AFolderWithoutAFloorIsFound) {
  EXPECT_THAT(check({"controller/new/a.cpp", "#include \"specs/read.h\"\n"}),
              ElementsAre(HasSubstr("without a floor")));
}

TEST(RulesTest, ALibraryIsKnownInsideItsFenceOnly) {
  EXPECT_THAT(check({"metrics/metrics.cpp", "#include <prometheus/counter.h>\n"}), IsEmpty());
  EXPECT_THAT(check({"controller/core/plan.cpp", "#include <nlohmann/json.hpp>\n"}),
              ElementsAre(HasSubstr("outside the fence of <nlohmann/json.hpp>")));
  EXPECT_THAT(check({"controller/app/loop.cpp", "#include <spdlog/spdlog.h>\n"}),
              ElementsAre(HasSubstr("outside the fence")));
  EXPECT_THAT(check({"controller/http/health.cpp", "#include <cpprest/http_listener.h>\n"}),
              ElementsAre(HasSubstr("outside the fence")));
  EXPECT_THAT(check({"specs/job_spec.cpp", "#include <gtest/gtest.h>\n"}),
              ElementsAre(HasSubstr("outside the fence")));
}

TEST(RulesTest, NoHeaderOfOursKnowsALibrary) {
  for (const Fence& fence : fences()) {
    if (fence.prefix == "gtest/" || fence.prefix == "gmock/") continue;
    for (const std::string& row : fence.files) {
      EXPECT_THAT(row, testing::EndsWith(".cpp")) << fence.prefix;
    }
  }
  EXPECT_THAT(check({"metrics/metrics.h", "#pragma once\n#include <prometheus/counter.h>\n"}),
              ElementsAre(HasSubstr("outside the fence")));
}

TEST(RulesTest, ALibraryWithoutAFenceIsFound) {
  EXPECT_THAT(check({"controller/app/a.cpp", "#include <curl/curl.h>\n"}),
              ElementsAre(HasSubstr("has no fence")));
  EXPECT_THAT(check({"controller/app/a.cpp", "#include <lzma.h>\n"}),
              ElementsAre(HasSubstr("has no fence")));
}

TEST(RulesTest, AHeaderWithoutPragmaOnceIsFound) {
  EXPECT_THAT(check({"specs/a.h", "struct A;\n"}), ElementsAre(HasSubstr("lacks #pragma once")));
  EXPECT_THAT(check({"specs/a.cpp", "struct A;\n"}), IsEmpty());
}

TEST(RulesTest, ALongFileIsFoundOutsideTests) {
  EXPECT_THAT(check({"specs/a.cpp", std::string(400, '\n')}), IsEmpty());
  EXPECT_THAT(check({"specs/a.cpp", std::string(401, '\n')}),
              ElementsAre(HasSubstr("has 401 lines")));
  EXPECT_THAT(check({"tests/specs/a_test.cpp", std::string(1000, '\n')}), IsEmpty());
}

TEST(RulesTest, AnEmptyNameIsFound) {
  EXPECT_THAT(check({"specs/string_util.cpp", ""}), ElementsAre(HasSubstr("\"util\"")));
  EXPECT_THAT(check({"controller/app/job_manager.cpp", ""}), ElementsAre(HasSubstr("\"manager\"")));
  EXPECT_THAT(check({"controller/store/database.cpp", ""}), IsEmpty());
}

}  // namespace
}  // namespace sconverge::test
