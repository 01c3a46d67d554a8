#include "specs/sbatch_moment.h"

#include <cstdlib>
#include <ctime>

#include "tests/specs/sbatch_asked.h"

namespace sconverge::test {
namespace {

// The tests of this file run in a time zone of their own: two hours east, with summer time.
class SbatchMoment : public testing::Test {
 protected:
  SbatchMoment() {
    if (const char* zone = std::getenv("TZ")) {
      before_ = zone;
      was_set_ = true;
    }
    set("EET-2EEST,M3.5.0/3,M10.5.0/4");
  }
  ~SbatchMoment() override {
    if (was_set_) {
      set(before_.c_str());
    } else {
      unsetenv("TZ");
      tzset();
    }
  }
  SbatchMoment(const SbatchMoment&) = delete;
  SbatchMoment& operator=(const SbatchMoment&) = delete;

 private:
  static void set(const char* zone) {
    setenv("TZ", zone, 1);
    tzset();
  }

  std::string before_{};
  bool was_set_{false};
};

struct Row {
  std::string_view text;
  std::int64_t seconds;
};

TEST_F(SbatchMoment, IsReadInTheLocalTimeZone) {
  for (const auto& [text, seconds] : std::vector<Row>{
           {"2027-01-31", 1801346400},           // 2027-01-30T22:00Z
           {"2027-01-31T08:00:00", 1801375200},  // 06:00Z
           {"2027-01-31T08:00", 1801375200},
           {"2027-01-31 08:00", 1801375200},
           {"2027-01-31T8:00", 1801375200},
           {"08:00 2027-01-31", 1801375200},
           {"2027-01-31T08:00:01", 1801375201},
           {"2027-07-01T08:00", 1814418000},  // 05:00Z, in summer
           {"2027-01-31 8:00 PM", 1801418400},
           {"2027-01-31 12:30am", 1801348200},
           {"2027-01-31 12:30pm", 1801391400},
           {"2027-01-31 noon", 1801389600},
           {"noon 2027-01-31", 1801389600},
           {"2027-01-31Tteatime", 1801404000},
           {"2027-01-31 fika", 1801400400},
           {"2027-01-31 elevenses", 1801386000},
           {"midnight 2027-01-31", 1801346400},
           {"013127", 1801346400},
           {"01/31/27", 1801346400},
           {"1.31.27", 1801346400},
           {"01/31/27 08:00", 1801375200},
           {"uts1801375200", 1801375200},
       }) {
    const auto moment = sbatch_moment(text);
    ASSERT_TRUE(moment.value) << text << ": " << moment.what;
    EXPECT_EQ(*moment.value, seconds) << text;
  }
}

TEST_F(SbatchMoment, ThatMovesWithTheClockIsRefusedAndTheAbsoluteFormIsNamed) {
  for (const char* text :
       {"now", "now+1hour", "now + 1hour", "NOW+60", "16:00", "8:00pm", "noon", "teatime", "today",
        "tomorrow", "tomorrow 16:00", "16:00 tomorrow", "0131", "01/31", "01/31 08:00", "013100"}) {
    const auto moment = sbatch_moment(text);
    EXPECT_FALSE(moment.value) << text;
    EXPECT_THAT(moment.what, testing::HasSubstr("moves with the moment of submission")) << text;
    EXPECT_THAT(moment.remedy, testing::HasSubstr("2027-01-31T08:00:00")) << text;
  }
}

TEST_F(SbatchMoment, ThatIsNoneIsRefused) {
  for (const char* text : {"",
                           " ",
                           "-",
                           "T",
                           "x",
                           "2027-1-31",
                           "2027-13-01",
                           "2027-01-32",
                           "2027-01-31T25:00",
                           "2027-01-31T08:60",
                           "2027-01-31T08:00:60",
                           "2027-01-31T8",
                           "2027-01-31T13:00pm",
                           "2027-01-31x",
                           "1301",
                           "0132",
                           "01317",
                           "uts",
                           "uts5",
                           "utsx",
                           "uts1801375200x",
                           "uts99999999999999999999",
                           "1969-12-31",
                           "2027-01-31T08:0"}) {
    const auto moment = sbatch_moment(text);
    EXPECT_FALSE(moment.value) << text;
    EXPECT_THAT(moment.what, testing::HasSubstr("is not a point in time")) << text;
  }
}

}  // namespace
}  // namespace sconverge::test
