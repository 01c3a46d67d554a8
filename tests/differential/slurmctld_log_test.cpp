#include "tests/differential/slurmctld_log.h"

#include <gmock/gmock.h>

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::Pair;
using testing::SizeIs;

// As Slurm 24.11 prints it, a good deal shortened.
constexpr const char* kLog =
    R"([2026-11-30T21:10:46.381] debug2: Processing RPC: REQUEST_SUBMIT_BATCH_JOB from UID=61001
[2026-11-30T21:10:46.381] debug3: JobDesc: user_id=61001 JobId=N/A partition=(null) name=my job
[2026-11-30T21:10:46.381] debug3:    cpus=2-4294967294 pn_min_cpus=3 core_spec=-1
[2026-11-30T21:10:46.381] debug3:    pn_min_memory_cpu=512 pn_min_tmp_disk=-1
[2026-11-30T21:10:46.381] debug3:    kill_on_node_fail=0 script=#!/bin/bash
#SBATCH -N2 -n4 nice=3...
[2026-11-30T21:10:46.381] debug3:    dependency=(null) account=(null) qos=(null) comment=hi there
[2026-11-30T21:10:46.381] debug3:    mail_type=6 mail_user=(null) nice=7 num_tasks=4 open_mode=1 overcommit=1 acctg_freq=task=3
[2026-11-30T21:10:46.381] debug3:    end_time= signal=B:10@90 wait_all_nodes=-1 cpu_freq=
[2026-11-30T21:10:46.382] debug3:    mem_bind=0:(null) plane_size:65534
[2026-11-30T21:10:46.382] debug3:    deadline=Unknown
[2026-11-30T21:10:46.382] debug3:    TRES_per_task=cpu=3
[2026-11-30T21:10:46.382] debug:  Job specs feature list: rack1|rack2
[2026-11-30T21:10:46.383] debug2: cpu=3 is not a gres
[2026-11-30T21:10:46.383] _slurm_rpc_submit_batch_job: JobId=12 InitPrio=1 usec=718
[2026-11-30T21:10:46.384] debug3: JobDesc: user_id=61001 JobId=N/A partition=main name=second
[2026-11-30T21:10:46.384] debug3:    deadline=Unknown
[2026-11-30T21:10:46.385] _slurm_rpc_submit_batch_job: Invalid feature specification
[2026-11-30T21:10:46.386] debug3:    deadline=2037
)";

TEST(SlurmctldLog, ARequestIsTakenApartIntoItsFields) {
  const auto requests = requests_in(kLog);
  ASSERT_THAT(requests, SizeIs(2));
  EXPECT_THAT(requests[0].fields,
              AllOf(Contains(Pair("partition", "(null)")), Contains(Pair("name", "my job")),
                    Contains(Pair("cpus", "2-4294967294")), Contains(Pair("core_spec", "-1")),
                    Contains(Pair("comment", "hi there")), Contains(Pair("nice", "7")),
                    Contains(Pair("acctg_freq", "task=3")), Contains(Pair("cpu_freq", "")),
                    Contains(Pair("plane_size", "65534")), Contains(Pair("signal", "B:10@90"))));
}

TEST(SlurmctldLog, MemoryOfACpuIsAnotherFieldThanMemoryOfANode) {
  const auto fields = requests_in(kLog).at(0).fields;
  EXPECT_THAT(fields, Contains(Pair("pn_min_memory_cpu", "512")));
  EXPECT_THAT(fields, Not(Contains(Key("pn_min_memory_job"))));
}

TEST(SlurmctldLog, ALineOfAnUnknownKindIsOneField) {
  EXPECT_THAT(requests_in(kLog).at(0).fields, AllOf(Contains(Pair("TRES_per_task", "cpu=3")),
                                                    Contains(Pair("deadline", "Unknown"))));
}

TEST(SlurmctldLog, AValueGoesOnOverALineEnd) {
  EXPECT_THAT(requests_in(kLog).at(0).fields,
              Contains(Pair("script", "#!/bin/bash\n#SBATCH -N2 -n4 nice=3...")));
}

TEST(SlurmctldLog, TheAnswerGivesTheJobAndNoneIfItIsAnError) {
  const auto requests = requests_in(kLog);
  ASSERT_THAT(requests, SizeIs(2));
  EXPECT_EQ(requests[0].job, 12U);
  EXPECT_EQ(requests[1].job, 0U);
}

TEST(SlurmctldLog, WhatComesAfterTheAnswerIsNoPartOfTheRequest) {
  EXPECT_THAT(requests_in(kLog).at(1).fields, Contains(Pair("deadline", "Unknown")));
}

TEST(SlurmctldLog, OtherTextHoldsNoRequest) {
  EXPECT_THAT(requests_in(""), IsEmpty());
  EXPECT_THAT(requests_in("[2026 \n\n] debug3:    nice=1\n\xff"), IsEmpty());
}

}  // namespace
}  // namespace sconverge::test
