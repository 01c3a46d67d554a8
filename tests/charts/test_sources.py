"""Whence specs and secrets come."""

import json
import unittest

from chart import MATRIX, of_matrix, render
from looks import SECRETS, flags, mounts, projected, volume


class SecretsTest(unittest.TestCase):
    def test_tokens_are_files_of_secrets_and_never_variables_arguments_or_configuration(self):
        for name in MATRIX:
            for pod_name, pod, _ in of_matrix(name).workloads():
                with self.subTest(f"{name} {pod_name}"):
                    for c in pod["containers"]:
                        self.assertNotIn("secretKeyRef", json.dumps(c.get("env", [])))
                        self.assertNotIn("secretRef", json.dumps(c.get("envFrom", [])))
                        self.assertNotIn("--password=", " ".join(c.get("args", [])))

    def test_secrets_are_mounted_read_only_and_not_for_others(self):
        r = of_matrix("everything")
        for name in ("secrets", "git-credentials"):
            self.assertEqual(0o440, volume(r, name)["projected"]["defaultMode"])
        self.assertTrue(mounts(r.container())[SECRETS]["readOnly"])
        self.assertTrue(mounts(r.container("git-sync"))["/etc/git-secret"]["readOnly"])
        self.assertNotIn(SECRETS, mounts(r.container("git-sync")))

    def test_a_slurmrestd_s_token_and_authorities_come_from_the_named_keys(self):
        r = of_matrix("git-sync")
        cluster = r.config["clusters"]["default"]
        self.assertEqual(("secret", "slurm-token/jwt"), projected(r)[cluster["slurmrestd"]["tokenFile"]])
        self.assertEqual(("secret", "slurm-ca/ca.crt"), projected(r)[cluster["caFile"]])

    def test_workload_identity_federation_needs_no_secret_at_all(self):
        r = of_matrix("job-api")
        api = r.config["clusters"]["default"]["slurmJobApi"]
        self.assertEqual(("configMap", "sconverge/default.credentials.json"), projected(r)[api["credentials"]])
        account = json.loads(r.one("ConfigMap", "sconverge")["data"]["default.credentials.json"])
        self.assertEqual("external_account", account["type"])
        self.assertIn("slurm-jobs@my-project.iam", account["service_account_impersonation_url"])
        token = account["credential_source"]["file"]
        self.assertEqual(("serviceAccountToken", "https:" + account["audience"]), projected(r)[token])

    def test_each_cluster_gets_the_credentials_that_it_names(self):
        r = of_matrix("job-api")
        paths = projected(r)
        apis = {name: c.get("slurmJobApi", {}) for name, c in r.config["clusters"].items()}
        self.assertEqual(("secret", "slurm-jobs-key/key.json"), paths[apis["keyed"]["credentials"]])
        self.assertEqual(("configMap", "federation/credentials.json"), paths[apis["federated"]["credentials"]])
        self.assertEqual("serviceAccountToken", paths[f"{SECRETS}/clusters/federated/identity"][0])
        self.assertEqual(("secret", "gateway-token/token"), paths[apis["gateway"]["accessTokenFile"]])
        self.assertEqual(("secret", "gateway-ca/ca.pem"), paths[r.config["clusters"]["gateway"]["caFile"]])
        self.assertEqual({"project", "region", "cluster", "quotaProject"}, set(apis["gke"]))

    def test_a_pod_without_secrets_has_no_volume_of_them(self):
        slurm = {"url": "", "user": "", "tokenSecret": {"name": ""}}
        r = render({"slurm": slurm, "slurmJobApi": {"project": "p", "region": "r", "cluster": "c"}})
        self.assertIsNone(volume(r, "secrets"))
        self.assertNotIn(SECRETS, mounts(r.container()))


class SourceTest(unittest.TestCase):
    def test_git_sync_writes_where_sconverge_reads(self):
        r = of_matrix("git-sync")
        given = flags(r.container("git-sync"))
        self.assertEqual(f"{given['root']}/{given['link']}/clusters/prod/jobs", r.config["specs"])
        self.assertNotIn("readOnly", mounts(r.container("git-sync"))["/specs"])
        self.assertTrue(mounts(r.container())["/specs"]["readOnly"])
        self.assertNotEqual("/specs", given["root"], "git-sync replaces its root, and no one replaces a volume")

    def test_git_sync_gets_what_the_values_say(self):
        given = flags(of_matrix("git-sync").container("git-sync"))
        expected = {"repo": "git@git.example.com:hpc/jobs.git", "ref": "main", "period": "10s", "depth": "1",
                    "max-failures": "10", "stale-worktree-timeout": "60s", "http-metrics": "true", "verbose": "1"}
        self.assertEqual(expected, {k: given[k] for k in expected})

    def test_ssh_never_goes_without_known_hosts(self):
        own = render({"gitSync": {"repo": "git@a:b", "credentials": {"type": "ssh", "secretName": "key"}}})
        for r, hosts in ((of_matrix("git-sync"), ("configMap", "git-known-hosts")), (own, ("secret", "key"))):
            given = flags(r.container("git-sync"))
            self.assertEqual("true", given["ssh-known-hosts"])
            sources = volume(r, "git-credentials")["projected"]["sources"]
            paths = {"/etc/git-secret/" + v["items"][0]["path"]: (k, v["name"]) for s in sources for k, v in s.items()}
            self.assertEqual(hosts, paths[given["ssh-known-hosts-file"]])
            self.assertEqual("secret", paths[given["ssh-key-file"]][0])

    def test_a_password_is_read_from_a_file(self):
        r = of_matrix("git-sync-https")
        given = flags(r.container("git-sync"))
        self.assertEqual(("deploy", "/etc/git-secret/password"), (given["username"], given["password-file"]))
        self.assertEqual("jobs-password", volume(r, "git-credentials")["projected"]["sources"][0]["secret"]["name"])

    def test_git_sync_is_there_for_git_alone(self):
        for name in ("existing-claim", "configmap", "empty-dir"):
            self.assertIsNone(of_matrix(name).container("git-sync"), name)

    def test_a_claim_is_mounted_read_only(self):
        claim = volume(of_matrix("existing-claim"), "specs")["persistentVolumeClaim"]
        self.assertEqual({"claimName": "shared-jobs", "readOnly": True}, claim)
        self.assertEqual("/specs/jobs", of_matrix("existing-claim").config["specs"])

    def test_specs_in_the_values_become_files_of_a_configmap(self):
        r = of_matrix("configmap")
        name = volume(r, "specs")["configMap"]["name"]
        self.assertIn("kind: Job", r.one("ConfigMap", name)["data"]["hello.yaml"])
        self.assertEqual("jobs", volume(of_matrix("minimal"), "specs")["configMap"]["name"])


if __name__ == "__main__":
    unittest.main()
