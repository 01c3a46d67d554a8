#include "controller/app/render_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "specs/field_text.h"
#include "specs/read.h"
#include "tests/support/builders.h"

namespace sconverge::test {
namespace {

using testing::HasSubstr;

// What `text` declares, with the file and line of `like`.
JobSpec read_as(const std::string& text, const JobSpec& like) {
  SpecFile file = read_spec_file(text, "a.yaml", {});
  for (const Problem& problem : file.problems) ADD_FAILURE() << to_text(problem) << "\n" << text;
  if (file.specs.size() != 1) return JobSpec{.name = {}};
  file.specs[0].file = like.file;
  file.specs[0].line = like.line;
  return file.specs[0];
}

TEST(RenderSpec, WritesAsPeopleDo) {
  JobSpec spec = a_spec("train");
  spec.job = {{"time_limit", std::int64_t{120}},
              {"memory_per_node", std::int64_t{65536}},
              {"mail_type", std::vector<std::string>{"END"}},
              {"environment", std::vector<std::string>{"A=1", "PATH=/bin:/usr/bin"}}};
  spec.inherit_environment = {"*"};
  spec.script = "#!/bin/sh\n\n  true\n";
  EXPECT_EQ(spec_yaml(spec),
            "apiVersion: sconverge/v1\n"
            "kind: Job\n"
            "metadata:\n"
            "  name: train\n"
            "spec:\n"
            "  job:\n"
            "    environment:\n"
            "      A: \"1\"\n"
            "      PATH: \"/bin:/usr/bin\"\n"
            "    mail_type:\n"
            "    - END\n"
            "    memory_per_node: \"64G\"\n"
            "    time_limit: \"2h\"\n"
            "  inheritEnvironment: true\n"
            "  script: |\n"
            "    #!/bin/sh\n"
            "\n"
            "      true\n");
}

TEST(RenderSpec, OfEveryFieldReadsBackAsTheSame) {
  for (const FieldText& field : field_texts()) {
    if (field.job_field == nullptr) continue;
    SCOPED_TRACE(field.path);
    const SpecFile file = read_spec_file(
        "apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  job:\n    " +
            field.example + "\n  script: |\n    #!/bin/sh\n",
        "a.yaml", {});
    ASSERT_EQ(file.specs.size(), 1U);
    ASSERT_EQ(file.specs[0].job.size(), 1U);
    EXPECT_EQ(read_as(spec_yaml(file.specs[0]), file.specs[0]), file.specs[0]);
  }
}

TEST(RenderSpec, OfValuesAtTheirLimitsReadsBackAsTheSame) {
  JobSpec spec = a_spec("a");
  spec.name.name_space = "vision";
  spec.labels = {{"a.b/c", "1"}, {"team", ""}};
  spec.annotations = {{"note", "two\nlines\n"}, {"sconverge/protect", "true"}};
  spec.cluster = "1";
  spec.suspend = true;
  spec.on_delete = OnDelete::Orphan;
  spec.inherit_environment = {"HOME", "PATH"};
  spec.script = "#!/bin/sh\n\ttab \xC3\xA9 \xE2\x80\xA8 x\n";
  spec.job = {{"time_limit", Unlimited{}},
              {"time_minimum", std::int64_t{61}},
              {"delay_boot", std::int64_t{0}},
              {"memory_per_node", std::int64_t{0}},
              {"temporary_disk_per_node", std::int64_t{1025}},
              {"begin_time", std::int64_t{1893456000}},
              {"nice", std::int64_t{-5}},
              {"comment", "true"},
              {"partition", "0x1F: #"},
              {"environment", std::vector<std::string>{"EMPTY=", "N=on", "Y=a\nb"}}};
  EXPECT_EQ(read_as(spec_yaml(spec), spec), spec);
}

TEST(RenderSpec, OfAScriptThatHoldsReadsBackSuspendedOrNotAsItWas) {
  for (const bool suspend : {false, true}) {
    JobSpec spec = a_spec("a");
    spec.script = "#!/bin/sh\n#SBATCH --hold\ntrue\n";
    spec.suspend = suspend;
    EXPECT_EQ(read_as(spec_yaml(spec), spec).suspend, suspend);
  }
}

TEST(RenderSpec, KeepsEveryEndOfAScript) {
  for (const char* end : {"", "\n", "\n\n", "\n\n\n", "\n \n", " \n", "\r", "\n\t\n"}) {
    JobSpec spec = a_spec("a");
    spec.script = std::string("#!/bin/sh\ntrue") + end;
    EXPECT_EQ(read_as(spec_yaml(spec), spec).script, spec.script);
  }
}

}  // namespace
}  // namespace sconverge::test
