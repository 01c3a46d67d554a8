"""Every alert, provoked for real: real Slurm, real controllers, real Prometheus. Then every query of the dashboards.

The tests build on each other and run in the order in which they stand here; each mends what it broke.
"""

import contextlib
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import time
import unittest

import monitored_site
import world
from files import DASHBOARDS
from monitored_site import SHORTER
from world import wait_until

sys.path.insert(0, str(DASHBOARDS))
import reading  # noqa: E402

KEEPERS = [f"keep-{number}" for number in range(7)]
site = None


def setUpModule():
    global site
    folder = world.temporary_directory()
    unittest.addModuleCleanup(folder.cleanup)
    site = monitored_site.Site(pathlib.Path(folder.name))


def say(text):
    print(f"  {time.time() - site.began:6.1f} s  {text}", flush=True)


class Live(unittest.TestCase):
    seen = set()

    def fires(self, name, **labels):
        """Waits for the alert with these labels, and holds its texts to be whole."""
        def found():
            for alert in site.prometheus.alerts():
                if alert["state"] == "firing" and labels.items() | {("alertname", name)} <= alert["labels"].items():
                    return alert
            return None
        alert = wait_until(f"{name} {labels} fires; firing are {sorted(site.firing())}", found)
        for text in alert["annotations"].values():
            self.assertNotRegex(text, r"<no value>|<error|\{\{|NaN")
        self.seen.add(name)
        say(f"{name} fires: {alert['annotations']['description']}")

    def ends(self, name):
        wait_until(f"{name} ends", lambda: name not in site.firing())


class Alerts(Live):
    def test_a_healthy_site_raises_none(self):
        for name in ("train", *KEEPERS):
            site.main.declare(name)
        site.main.declare("hello", "exit 0")
        site.second.declare("hello", "exit 0")
        site.main.wait_for("Running", "train", *KEEPERS)
        site.main.wait_for("Succeeded", "hello")
        site.second.wait_for("Succeeded", "hello")
        wait_until("all three are scraped", lambda: len(site.prometheus.query("sconverge_build_info")) == 3)
        wait_until("they have been scraped ten times", lambda: site.prometheus.query('min(count_over_time(up{job=~"sconverge.*"}[5m])) >= 10'))
        self.assertEqual(site.firing(), {})

    def test_specs_with_problems_failing_jobs_and_refused_ones_are_told(self):
        (site.main.specs / "broken.yaml").write_text("kind: Jbo\n", encoding="utf-8")
        site.main.declare("refused", partition="no-such-partition")
        for number in range(6):
            site.main.declare(f"fail-{number}", "exit 1")
        self.fires("SconvergeInvalidSpecs", job="sconverge")
        self.fires("SconvergeSpecsOutOfSync", cluster="main", reason="missing")
        self.fires("SconvergeSpecNotReady", cluster="main", spec_namespace="default", spec="refused")
        self.fires("SconvergeSpecNotReady", cluster="main", spec="fail-5")
        self.fires("SconvergeJobFailureRatioHigh", cluster="main")
        (site.main.specs / "broken.yaml").unlink()
        site.main.remove("refused")
        self.ends("SconvergeInvalidSpecs")
        self.ends("SconvergeSpecsOutOfSync")

    def test_specs_beyond_the_limit_of_series_are_told(self):
        for name in ("one", "two"):
            site.second.declare(name, "exit 0")
        self.fires("SconvergeMetricSeriesDropped", instance=site.second.address)
        self.assertEqual(len(site.prometheus.query('sconverge_spec_ready{cluster="second"}')), 1)

    def test_a_second_job_with_the_mark_of_a_run_is_told_and_cancelled(self):
        job = site.main.jobs()["train"][1]
        mark = site.lab.as_alice("squeue", "-h", "-j", str(job), "-o", "%k").strip()
        second = site.lab.as_alice("sbatch", "--parsable", f"--comment={mark}", "--chdir=/tmp", "--wrap", "sleep 600").strip()
        self.fires("SconvergeDuplicateJobs", cluster="main")
        wait_until("the second job is cancelled", lambda: not site.lab.as_alice("squeue", "-h", "-t", "R,PD", "-j", second, "-o", "%i").strip())
        self.assertEqual(site.main.jobs()["train"], ("Running", job))

    def test_a_refused_configuration_is_told_and_the_former_one_stays_in_force(self):
        site.main.configure(interval="soon")
        try:
            site.main.process.send(signal.SIGHUP)
            self.fires("SconvergeConfigReloadFailed", instance=site.main.address)
            self.assertNotIn("SconvergeUnreachable", site.firing())
        finally:
            site.main.configure(interval="1s")
        site.main.process.send(signal.SIGHUP)
        self.ends("SconvergeConfigReloadFailed")

    def test_a_directory_that_is_gone_is_told_and_cancels_nothing(self):
        site.main.specs.rename(site.main.directory / "away")
        self.fires("SconvergeSourceStale", instance=site.main.address)
        (site.main.directory / "away").rename(site.main.specs)
        self.ends("SconvergeSourceStale")
        self.assertEqual({site.main.jobs()[name][0] for name in KEEPERS}, {"Running"})

    def test_many_removals_at_once_wait_for_somebody_and_are_told(self):
        site.main.remove(*KEEPERS)
        self.fires("SconvergePruneBlocked", cluster="main", guard="PruneBudget")
        self.fires("SconvergeSpecsOutOfSync", cluster="main", reason="orphaned")
        subprocess.run([world.SCONVERGE, "approve", "--config", site.main.file], check=True, stdout=subprocess.DEVNULL)
        self.ends("SconvergePruneBlocked")

    def test_a_controller_that_hangs_and_what_it_missed_meanwhile_are_told(self):
        job = site.main.jobs()["train"][1]
        with self.hanging(site.main.process.child.pid):
            site.lab.as_alice("scancel", str(job))
            self.fires("SconvergeUnreachable", instance=site.main.address)
            self.forget(job)
            # More than the kernel keeps; it asks for more than two events of each file.
            limit = int(pathlib.Path("/proc/sys/fs/inotify/max_queued_events").read_text())
            for number in range(limit // 2):
                file = site.main.specs / f"{number}.txt"
                file.touch()
                file.unlink()
        self.fires("SconvergeWatchOverflow", instance=site.main.address, type="overflow")
        self.fires("SconvergeJobsLost", cluster="main")
        self.ends("SconvergeUnreachable")

    def test_a_slurm_that_hangs_is_told_and_so_is_what_had_to_wait_for_it(self):
        with self.hanging(site.lab.pid("slurmrestd")):
            site.main.declare("late")
            self.fires("SconvergeReconcileStuck", cluster="main")
            self.fires("SconvergeSlurmUnreachable", cluster="main")
            self.fires("SconvergeReconcileErrors", cluster="main")
            self.fires("SconvergeSlurmRequestErrors", cluster="main")
            self.fires("SconvergeSlurmLatencyHigh", cluster="main")
        self.ends("SconvergeSlurmUnreachable")
        site.main.wait_for("Running", "late")
        self.ends("SconvergeReconcileStuck")

    def test_a_change_that_reaches_slurm_late_is_told(self):
        site.permit("read")
        site.second.declare("waiting")
        wait_until("it was refused for longer than the threshold", lambda: site.prometheus.query(
            'sconverge_job_operations_total{cluster="second", operation="submit", result!="success"} > 0'))
        time.sleep(SHORTER["SconvergeConvergenceSlow"]["threshold"])
        site.permit("run")
        site.second.wait_for("Running", "waiting")
        self.fires("SconvergeConvergenceSlow", cluster="second")

    def test_a_memory_that_cannot_be_written_is_told(self):
        with contextlib.closing(sqlite3.connect(site.main.directory / "state/state.db")) as memory:
            memory.execute("BEGIN IMMEDIATE")
            site.main.declare("unwritten")
            self.fires("SconvergeStateStoreErrors", cluster="main")
            memory.rollback()
        site.main.wait_for("Running", "unwritten")

    def test_a_token_that_ends_soon_and_restarts_are_told(self):
        site.new_token(1800)
        for _ in range(2):
            start = site.prometheus.query(f'process_start_time_seconds{{instance="{site.main.address}"}}')
            site.main.restart()
            wait_until("the restart is scraped", lambda: site.prometheus.query(
                f'process_start_time_seconds{{instance="{site.main.address}"}}') not in ([], start))
        self.fires("SconvergeRestarting", instance=site.main.address)
        self.fires("SconvergeTokenExpiringSoon", cluster="main")

    def forget(self, job):
        """Waits until slurmctld has forgotten the job, and makes accounting forget it, too."""
        def accounting(statement):
            return site.lab.run("exec", "mariadb", "--defaults-file=/etc/sconverge-lab/my.cnf", "-N", "slurm_acct_db", "-e", statement).strip()
        wait_until("accounting knows the end", lambda: accounting(f"select time_end from lab_job_table where id_job={job}") not in ("", "0"))
        wait_until("slurmctld has forgotten the job", lambda: str(job) not in site.lab.as_alice("squeue", "-h", "-t", "all", "-o", "%i").split())
        accounting(f"delete from lab_job_table where id_job={job}")

    @contextlib.contextmanager
    def hanging(self, pid):
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(pid, signal.SIGCONT)


class Dashboards(Live):
    def test_every_query_of_every_dashboard_finds_data(self):
        now = time.time()
        span = int(now - site.began)
        for path in sorted(DASHBOARDS.glob("*.json")):
            dashboard, queries = reading.read(path), 0
            for panel in reading.panels_of(dashboard):
                for target in panel["targets"]:
                    with self.subTest(dashboard=dashboard["title"], panel=panel["title"], query=target["legendFormat"]):
                        expr = reading.filled_in(target["expr"], "15s", f"{span}s")
                        found = site.prometheus.query_range(expr, site.began, now, max(1, span // 200))
                        values = [value for _, points in found for _, value in points if value == value]
                        self.assertTrue(values, expr)
                        queries += 1
            say(f"{dashboard['title']}: {queries} queries find data")

    def test_a_picture_of_each_can_be_drawn(self):
        """SCONVERGE_PICTURES names the directory to keep them in."""
        with contextlib.ExitStack() as stack:
            directory = pathlib.Path(os.environ.get("SCONVERGE_PICTURES") or stack.enter_context(world.temporary_directory()))
            subprocess.run([DASHBOARDS / "draw", "--prometheus", site.server.url, "--from", str(site.began), "--to", str(time.time()),
                            "--rate-interval", "15s", "--output", directory], check=True, stdout=subprocess.DEVNULL)
            for path in DASHBOARDS.glob("*.json"):
                picture = (directory / f"{path.stem}.png").read_bytes()
                self.assertTrue(picture.startswith(b"\x89PNG"))
                self.assertLess(len(picture), 300_000)
                say(f"{path.stem}.png: {len(picture) // 1000} kB")


class LastAlert(Live):
    def test_a_controller_that_nobody_scrapes_is_told(self):
        site.server.scrape({"sconverge-gateway": site.targets["sconverge-gateway"]})
        self.fires("SconvergeDown", job="sconverge")

    def test_no_alert_was_left_out(self):
        self.assertEqual(self.seen, set(SHORTER))


def load_tests(loader, _standard, _pattern):
    """In the order in which they stand here."""
    suite = unittest.TestSuite()
    for case in (Alerts, Dashboards, LastAlert):
        suite.addTests(case(name) for name in vars(case) if name.startswith(loader.testMethodPrefix))
    return suite


if __name__ == "__main__":
    unittest.main(verbosity=2, failfast=True)
