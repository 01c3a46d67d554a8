#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "controller/app/exit_code.h"
#include "controller/app/roff.h"
#include "controller/app/settings.h"
#include "tests/app/console_world.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

struct ManualTest : testing::Test, ConsoleWorld {
  /// A page as a reader of plain text sees it: without the escapes of troff.
  std::string page(const std::string& name) {
    EXPECT_EQ(type({"manual", name}), static_cast<int>(ExitCode::Ok)) << err.str();
    std::string text;
    const std::string source = out.str();
    for (std::size_t i = 0; i < source.size(); ++i) {
      if (source[i] != '\\') {
        text += source[i];
      } else if (source[++i] == 'f') {
        ++i;
      } else if (source[i] == 'e') {
        text += '\\';
      } else if (source[i] != '&') {
        text += source[i];
      }
    }
    return text;
  }

  /// Of a section: the words that are explained, and the list of settings; examples are not.
  static std::string heads_and_settings(const std::string& section) {
    std::istringstream lines(section);
    std::string words;
    bool head = false;
    for (std::string line; std::getline(lines, line); head = line == ".TP") {
      if (head || line.starts_with("Settings: ")) words += line + " ";
    }
    std::replace_if(
        words.begin(), words.end(), [](char letter) { return letter == ',' || letter == '.'; },
        ' ');
    return words;
  }

  std::vector<std::string> offered(const std::vector<std::string>& words) {
    EXPECT_EQ(type(words), static_cast<int>(ExitCode::Ok));
    std::istringstream lines(out.str());
    std::vector<std::string> candidates;
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) candidates.push_back(line.substr(0, line.find('\t')));
    return candidates;
  }
};

TEST_F(ManualTest, TellsEveryVerbAndEveryFlag) {
  const std::string text = page("sconverge");
  const auto verbs = offered({"__complete", ""});
  ASSERT_GE(verbs.size(), 14U);
  for (const auto& verb : verbs) {
    const auto begin = text.find("\n.SS sconverge " + verb + " ");
    ASSERT_NE(begin, std::string::npos) << verb;
    const auto end = std::min(text.find("\n.SS", begin + 1), text.find("\n.SH", begin + 1));
    const std::string told = heads_and_settings(text.substr(begin, end - begin));
    for (const auto& flag : offered({"__complete", verb, "--"})) {
      if (flag == "--help") continue;  // it is told of once, for all of them
      EXPECT_THAT(told, HasSubstr(flag + " ")) << verb;
    }
  }
}

TEST_F(ManualTest, TellsEverySettingWithItsVariable) {
  const std::string text = page("sconverge");
  for (const Setting& setting : settings()) {
    EXPECT_THAT(text, HasSubstr("\n--" + std::string(setting.flag) + ", " +
                                std::string(setting.variable) + " " + std::string(setting.value) +
                                "\n" + std::string(setting.help) + "\n"));
  }
}

TEST_F(ManualTest, TellsExitCodesSignalsAndFiles) {
  EXPECT_THAT(page("sconverge"),
              AllOf(HasSubstr(".SH EXIT STATUS"), HasSubstr("\n64\n"), HasSubstr("SIGHUP"),
                    HasSubstr("SLURM_JWT"), HasSubstr("/etc/sconverge/sconverge.yaml")));
}

TEST_F(ManualTest, TellsEveryKeyOfTheConfiguration) {
  const std::string text = page("sconverge.yaml");
  for (const Setting& setting : settings()) {
    EXPECT_THAT(text, HasSubstr("\n.TP\n" + std::string(setting.key) + ": "));
  }
}

TEST_F(ManualTest, ShowsAConfigurationThatHolds) {
  const std::string text = page("sconverge.yaml");
  const auto begin = text.find(".EX\n") + 4;
  write("sconverge.yaml", text.substr(begin, text.find("\n.EE") - begin) + "\n");
  const ConfigReading reading =
      read_config({{{"config", {directory / "sconverge.yaml"}}}, console.variables, true},
                  {.specs = false, .clusters = true});
  for (const auto& problem : reading.problems) ADD_FAILURE() << to_text(problem);
  EXPECT_EQ(reading.config.clusters.size(), 2U);
  EXPECT_EQ(reading.config.state, "/var/lib/sconverge");
}

TEST_F(ManualTest, NamesThePagesThereAre) {
  EXPECT_EQ(type({"manual", "get"}), static_cast<int>(ExitCode::Usage));
  EXPECT_EQ(err.str(),
            "sconverge: there is no manual page \"get\" (sconverge or sconverge.yaml)\n");
}

TEST(RoffTest, LeavesNothingInTextThatTroffWouldTakeForItsOwn) {
  Roff page("X", 1, "x 1", "X");
  page.paragraph(".so /etc/passwd\n'br \\n a-b");
  EXPECT_THAT(page.text(), EndsWith(".PP\n\\&.so /etc/passwd\n\\&'br \\en a\\-b\n"));
}

}  // namespace
}  // namespace sconverge::test
