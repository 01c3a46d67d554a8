// The requests of Google's page "Manage training clusters with the Slurm Job API", byte for byte,
// and what its Python script takes for granted about the answers.
#include <nlohmann/json.hpp>

#include "tests/gateway/gateway_world.h"

namespace sconverge::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;

constexpr const char* kSubmit = R"({
    "method": "HTTP_METHOD_POST",
    "path": "/slurm/v0.0.42/job/submit",
    "body": {
      "job": {
        "name": "my-run",
        "partition": "PARTITION",
        "current_working_directory": "/home/USERNAME",
        "minimum_nodes": 1,
        "tasks_per_node": 1,
        "environment": ["PATH=/bin:/usr/bin"],
        "time_limit": {"set": true, "number": 120}
      },
      "script": "#!/bin/bash\necho hello\nsleep 5\necho done\n"
    }
  })";

constexpr const char* kSubmittedBody = R"({
      "job": {
        "name": "my-run",
        "partition": "PARTITION",
        "current_working_directory": "/home/USERNAME",
        "minimum_nodes": 1,
        "tasks_per_node": 1,
        "environment": ["PATH=/bin:/usr/bin"],
        "time_limit": {"set": true, "number": 120}
      },
      "script": "#!/bin/bash\necho hello\nsleep 5\necho done\n"
    })";

struct DocumentedCalls : GatewayWorld {};

TEST_F(DocumentedCalls, ASubmitReachesSlurmByteForByteAndGivesTheJobId) {
  const HttpAnswer answer = send(kSubmit);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.content_type, kJson);
  EXPECT_EQ(answer.body, R"({"status":200,"structuredBody":{"job_id":9,"errors":[]}})");
  ASSERT_THAT(slurm.asked(), ElementsAre("POST /slurm/v0.0.42/job/submit"));
  EXPECT_EQ(slurm.calls[0].body, kSubmittedBody);
  EXPECT_TRUE(slurm.calls[0].at_most_once);
}

TEST_F(DocumentedCalls, TheSubmitOfThePythonScriptReachesSlurm) {
  const std::string body =
      R"({"job": {"name": "my-run", "partition": "PARTITION", "current_working_directory": )"
      R"("/home/USERNAME", "minimum_nodes": 1, "tasks_per_node": 1, "environment": )"
      R"(["PATH=/bin:/usr/bin"], "time_limit": {"set": true, "number": 120}}, "script": )"
      R"("#!/bin/bash\necho hello\nsleep 5\necho done\n"})";
  const HttpAnswer answer =
      send(R"({"method": "HTTP_METHOD_POST", "path": "/slurm/v0.0.42/job/submit", "body": )" +
           body + "}");
  const json envelope = json::parse(answer.body);
  EXPECT_EQ(envelope["status"], 200);
  EXPECT_EQ(envelope.value("structuredBody", json::object())["job_id"], 9);
  EXPECT_EQ(slurm.calls[0].body, body);
}

TEST_F(DocumentedCalls, TheStateOfAJobIsRead) {
  const HttpAnswer answer = send(R"({
    "method": "HTTP_METHOD_GET",
    "path": "/slurm/v0.0.42/job/7"
  })");
  EXPECT_EQ(answer.body,
            R"({"status":200,"structuredBody":{"jobs":[{"job_id":7,"user_name":"alice"}]}})");
  EXPECT_THAT(slurm.asked(), ElementsAre("GET /slurm/v0.0.42/job/7"));
  EXPECT_EQ(slurm.calls[0].body, "");
  EXPECT_FALSE(slurm.calls[0].at_most_once);
}

TEST_F(DocumentedCalls, JobsAreListed) {
  slurm.on("GET /slurm/v0.0.42/jobs/", SlurmSays{200, R"({"jobs":[]})"});
  const HttpAnswer answer = send(R"({
    "method": "HTTP_METHOD_GET",
    "path": "/slurm/v0.0.42/jobs/"
  })");
  EXPECT_EQ(answer.body, R"({"status":200,"structuredBody":{"jobs":[]}})");
}

TEST_F(DocumentedCalls, AJobIsCancelledAfterALookAtWhoseItIs) {
  const HttpAnswer answer = send(R"({
    "method": "HTTP_METHOD_DELETE",
    "path": "/slurm/v0.0.42/job/7"
  })");
  EXPECT_EQ(answer.body, R"({"status":200,"structuredBody":{"errors":[]}})");
  EXPECT_THAT(slurm.asked(),
              ElementsAre("GET /slurm/v0.0.42/job/7", "DELETE /slurm/v0.0.42/job/7"));
}

TEST_F(DocumentedCalls, AFinishedJobIsReadFromAccounting) {
  slurm.on("GET /slurmdb/v0.0.42/job/7", SlurmSays{200, R"({"jobs":[{"job_id":7}]})"});
  const HttpAnswer answer = send(R"({
    "method": "HTTP_METHOD_GET",
    "path": "/slurmdb/v0.0.42/job/7"
  })");
  EXPECT_EQ(answer.body, R"({"status":200,"structuredBody":{"jobs":[{"job_id":7}]}})");
}

TEST_F(DocumentedCalls, CancellingAJobThatSlurmHasForgottenGivesSlurmsSuccess) {
  slurm.on(
      "GET /slurm/v0.0.42/job/6",
      SlurmSays{404, R"({"jobs":[],"errors":[{"error_number":2017,"error":"Invalid job id"}]})"});
  slurm.on("DELETE /slurm/v0.0.42/job/6", SlurmSays{200, R"({"errors":[]})"});
  EXPECT_EQ(call("DELETE", "/slurm/v0.0.42/job/6").body,
            R"({"status":200,"structuredBody":{"errors":[]}})");
}

TEST_F(DocumentedCalls, AJobThatIsNotLiveIs404Inside) {
  const std::string body = R"({"jobs":[],"errors":[{"error_number":2017}]})";
  slurm.on("GET /slurm/v0.0.42/job/6", SlurmSays{404, body});
  const HttpAnswer answer = call("GET", "/slurm/v0.0.42/job/6");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, R"({"status":404,"structuredBody":)" + body + "}");
}

TEST_F(DocumentedCalls, WarningsAndErrorsOfSlurmComeThroughWhateverTheStatus) {
  const std::string body = R"({"warnings":[{"description":"x"}],"errors":[{"error_number":2000}]})";
  slurm.answers["POST /slurm/v0.0.42/job/submit"] = {SlurmSays{500, body}};
  const HttpAnswer answer = send(kSubmit);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, R"({"status":500,"structuredBody":)" + body + "}");
}

TEST_F(DocumentedCalls, ARequestThatIsNotUnderTheLimitIsAnInvalidArgumentThatNamesTheWayOut) {
  HttpRequest large = request("");
  large.body_too_large = true;
  for (const HttpAnswer& answer : {gateway().answer(large), send(std::string(1'000'000, ' '))}) {
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(status_of(answer), "INVALID_ARGUMENT");
    EXPECT_THAT(answer.body, testing::AllOf(testing::HasSubstr("1000000 bytes"),
                                            testing::HasSubstr("shared storage")));
  }
  EXPECT_THAT(slurm.calls, testing::IsEmpty());
}

TEST_F(DocumentedCalls, ARequestJustUnderTheLimitIsTaken) {
  std::string body = R"({"method":"HTTP_METHOD_GET","path":"/slurm/v0.0.42/job/7"})";
  body.append(999'999 - body.size(), ' ');
  EXPECT_EQ(send(body).status, 200);
}

}  // namespace
}  // namespace sconverge::test
