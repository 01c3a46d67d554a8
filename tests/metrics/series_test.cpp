#include "metrics/series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/metrics/exposition.h"

namespace sconverge::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SeriesTest, ScopesAreMergedIntoOneFamilySortedByLabels) {
  SeriesSet b(MetricLabels{{"cluster", "b"}});
  SeriesSet a(MetricLabels{{"cluster", "a"}});
  b.set("sconverge_slurm_up", {}, 1);
  a.set("sconverge_slurm_up", {}, 0);
  const std::string text = text_of({&b, &a});
  EXPECT_THAT(text,
              HasSubstr("# TYPE sconverge_slurm_up gauge\nsconverge_slurm_up{cluster=\"a\"} 0\n"
                        "sconverge_slurm_up{cluster=\"b\"} 1\n"));
  EXPECT_EQ(text.find("# HELP"), text.rfind("# HELP"));
}

TEST(SeriesTest, AnEmptyFamilyIsNotMentioned) {
  SeriesSet series(MetricLabels{{"cluster", "a"}});
  series.set("sconverge_slurm_up", {}, 1);
  series.forget("sconverge_slurm_up");
  EXPECT_EQ(text_of({&series}), "");
}

TEST(SeriesTest, ForgettingWhatNeverWasDoesNothing) {
  SeriesSet series;
  series.forget("sconverge_slurm_up");
  EXPECT_EQ(text_of({&series}), "");
}

TEST(SeriesDeathTest, LabelsOtherThanTheCataloguesEndTheProcess) {
  SeriesSet series;
  EXPECT_DEATH(series.set("sconverge_slurm_up", {}, 1), "");
  EXPECT_DEATH(series.set("sconverge_slurm_up", {{"cluster", "a"}, {"job_id", "1"}}, 1), "");
  EXPECT_DEATH(series.set("sconverge_no_such_thing", {}, 1), "");
}

TEST(LabelValueTest, GoodTextIsKept) {
  EXPECT_EQ(label_value("zwölf \U0001F600"), "zwölf \U0001F600");
}

TEST(LabelValueTest, EachByteThatIsNotUtf8BecomesAReplacement) {
  EXPECT_EQ(label_value("a\xff\xfe"
                        "b\xc3"),
            "a\uFFFD\uFFFD"
            "b\uFFFD");
}

TEST(LabelValueTest, LongTextIsCutBetweenCharacters) {
  EXPECT_EQ(label_value(std::string(1000, 'a')), std::string(128, 'a'));
  EXPECT_EQ(label_value(std::string(127, 'a') + "öö"), std::string(127, 'a'));
}

}  // namespace
}  // namespace sconverge::test
