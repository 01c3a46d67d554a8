"""Runs a rendered pod on this machine: what a kubelet would do with it, for the one container that is ours.

Volumes are laid out as a kubelet lays them out (ConfigMaps, Secrets and projections behind `..data`, group and modes by
fsGroup and defaultMode). The container is the real binary in a root of its own that is read-only, as the user and without
the rights that its security context says, with the image's program alone; pods have a network of their own.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

from chart import ROOT

BINARY = ROOT / "build" / "dev" / "sconverge"


def write_volume(path, files, mode, group):
    """Replaces what a volume holds, in one step, as the kubelet does."""
    data = path / f"..{time.monotonic_ns()}"
    for name, text in files.items():
        file = data / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(mode)
        os.chown(file, 0, group)
    for name in {name.split("/")[0] for name in files}:
        if not (path / name).is_symlink():
            (path / name).symlink_to(f"..data/{name}")
    old = (path / "..data").resolve() if (path / "..data").is_symlink() else None
    (path / "..data_tmp").symlink_to(data.name)
    (path / "..data_tmp").rename(path / "..data")
    if old:
        shutil.rmtree(old)


class Volumes:
    """The volumes of one pod below a directory."""

    def __init__(self, directory, pod, given):
        """`given`: data of ConfigMaps and Secrets, directories of claims, by kind and name."""
        self.directory = pathlib.Path(directory)
        self.group = pod["securityContext"]["fsGroup"]
        self.given = given
        self.paths = {v["name"]: self._make(v) for v in pod.get("volumes", [])}

    def _make(self, volume):
        path = self.directory / volume["name"]
        if "persistentVolumeClaim" in volume:
            path = pathlib.Path(self.given["claim"][volume["persistentVolumeClaim"]["claimName"]])
        path.mkdir(exist_ok=True)
        if "emptyDir" in volume or "persistentVolumeClaim" in volume:
            os.chown(path, 0, self.group)
            path.chmod(0o2775)
            return path
        kind = next(k for k in ("configMap", "secret", "projected") if k in volume)
        sources = volume[kind]["sources"] if kind == "projected" else [{kind: volume[kind]}]
        files = {name: text for source in sources for name, text in self._files(source).items()}
        write_volume(path, files, volume[kind].get("defaultMode", 0o644), self.group)
        return path

    def _files(self, source):
        ((kind, value),) = source.items()
        if kind == "serviceAccountToken":
            return {value["path"]: f"token for {value['audience']}"}
        data = self.given[kind][value.get("name", value.get("secretName"))]
        items = value.get("items", [{"key": key, "path": key} for key in data])
        return {item["path"]: data[item["key"]] for item in items}


class Container:
    """One container of a pod, running until `stop`."""

    def __init__(self, pod, container, volumes, log, *, network=None, hosts=""):
        """`network`: the process whose network it shares; None: one of its own."""
        self.spec = container
        self.log_path = pathlib.Path(log)
        user = {**pod["securityContext"], **container["securityContext"]}
        hosts_file = volumes.directory / f"hosts-{container['name']}"
        hosts_file.write_text(f"127.0.0.1 localhost\n{hosts}")
        hosts_file.chmod(0o644)
        hostname = volumes.directory / "hostname"
        hostname.write_text("sconverge-0\n")
        command = ["bwrap", "--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--clearenv"]
        command += [] if network else ["--unshare-net"]
        for path in ("/usr", "/usr/bin", "/etc", "/etc/ssl", "/var", "/run", "/sandbox"):
            command += ["--perms", "0755", "--dir", path]
        for path in ("/usr/lib", "/usr/lib64", "/usr/share/ca-certificates", "/etc/ssl/certs"):
            command += ["--ro-bind-try", path, path]
        command += ["--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--symlink", "/run", "/var/run"]
        command += ["--ro-bind", BINARY, "/usr/bin/sconverge", "--ro-bind", "/usr/bin/setpriv", "/sandbox/setpriv"]
        command += ["--ro-bind", hosts_file, "/etc/hosts", "--ro-bind", hostname, "/etc/hostname", "--proc", "/proc", "--dev", "/dev"]
        for mount in container.get("volumeMounts", []):
            target = mount["mountPath"].replace("/var/run/", "/run/")
            for parent in reversed(pathlib.Path(target).parents[:-1]):
                command += ["--perms", "0755", "--dir", parent]
            command += ["--ro-bind" if mount.get("readOnly") else "--bind", volumes.paths[mount["name"]], target]
        command += ["--remount-ro", "/"] if user["readOnlyRootFilesystem"] else []
        for variable in container.get("env", []):
            command += ["--setenv", variable["name"], variable["value"]]
        command += ["--info-fd", "3", "--", "/sandbox/setpriv", "--reuid", user["runAsUser"], "--regid", user["runAsGroup"],
                    "--groups", user["fsGroup"], "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all",
                    "/usr/bin/sconverge", *container["args"]]
        if network:
            command = ["nsenter", f"--net=/proc/{network}/ns/net", *command]
        reader, writer = os.pipe()
        with open(log, "w", encoding="utf-8") as output:
            self.process = subprocess.Popen(
                ["bash", "-c", f'exec 3>&{writer} {writer}>&-; exec "$@"', "bash", *map(str, command)],
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, pass_fds=[writer])
        os.close(writer)
        with os.fdopen(reader) as info:
            text = info.read()
        if not text:
            self.kill()
            raise AssertionError(f"the sandbox did not start: {self.log()}")
        self.pid = json.loads(text)["child-pid"]  # of the sandbox's first process, whose child is ours

    def log(self):
        return self.log_path.read_text()

    def get(self, url, *options):
        """Status and body of a request from within the pod; (0, why) if there is no answer."""
        done = subprocess.run(
            ["nsenter", f"--net=/proc/{self.pid}/ns/net", "curl", "--silent", "--show-error", "--max-time", "10",
             "--write-out", "\n%{http_code}", *options, url], capture_output=True, text=True, check=False)
        body, _, status = done.stdout.rpartition("\n")
        return (0, done.stderr) if done.returncode else (int(status), body)

    def probe(self, kind):
        """Whether the container's probe of that kind succeeds."""
        get = self.spec[kind]["httpGet"]
        port = next(p["containerPort"] for p in self.spec["ports"] if p["name"] == get["port"])
        scheme = get.get("scheme", "HTTP").lower()  # a kubelet does not look at certificates
        return 200 <= self.get(f"{scheme}://127.0.0.1:{port}{get['path']}", "--insecure")[0] < 400

    def wait(self, condition, what, limit=30.0):
        """Waits until `condition` holds, as long as the container runs."""
        end = time.monotonic() + limit
        while not condition():
            if self.process.poll() is not None:
                raise AssertionError(f"it ended with {self.process.returncode} before {what}:\n{self.log()}")
            if time.monotonic() > end:
                raise AssertionError(f"no {what} after {limit} s:\n{self.log()}")
            time.sleep(0.05)

    def end(self, limit=60.0):
        """Waits for it to end by itself; its exit code."""
        return self.process.wait(limit)

    def stop(self, limit):
        """As the kubelet: SIGTERM to the container's first process, and the exit code if it ends in time."""
        if self.process.poll() is None:
            children = pathlib.Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
            os.kill(int(children[0]), signal.SIGTERM)
        return self.process.wait(limit)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def config_data(rendering):
    """Data of the ConfigMaps that the chart makes, by name."""
    return {o["metadata"]["name"]: o["data"] for o in rendering.all("ConfigMap")}
