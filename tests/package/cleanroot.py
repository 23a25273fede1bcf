"""A Debian with only its essential packages and the dependencies of some packages. It is made of this machine's files, and its own systemd
boots it.

Nothing is fetched. Each file comes from a package that is installed here, so a package that does not name what it needs finds it missing. The
system has its own file system in memory, processes, network and control group, and is gone when the test is."""

import pathlib
import re
import shutil
import subprocess
import tempfile

from harness import until
from redisserver import die_with_parent

INFO = pathlib.Path("/var/lib/dpkg/info")
# systemd boots it; passwd, login and mount are on every Debian; man-db and the like are not.
BASE = ("systemd", "apt", "openssl", "passwd", "login", "mount", "util-linux", "iproute2")
LEFT_OUT = re.compile(r"/usr/share/(doc|man|info|locale|lintian|help)/|/usr/share/i18n/|/usr/lib/debug/")


class Unfit(Exception):
    """This machine cannot make or run one."""


def installed():
    """The installed packages (name → stanza of dpkg's status file), and which of them provide each virtual name."""
    stanzas, provided = {}, {}
    for stanza in pathlib.Path("/var/lib/dpkg/status").read_text().split("\n\n"):
        fields = dict(re.findall(r"^([A-Za-z-]+): (.*)$", stanza, re.M))
        if fields.get("Status") != "install ok installed":
            continue
        fields["stanza"] = stanza
        stanzas[fields["Package"]] = fields
        for name in re.findall(r"([a-z0-9][a-z0-9.+-]*)(?: \([^)]*\))?", fields.get("Provides", "")):
            provided.setdefault(name, fields["Package"])
    return stanzas, provided


def names(depends):
    """The alternatives of each dependency: "a (>= 1), b | c:any" → [["a"], ["b", "c"]]."""
    return [[re.match(r"[a-z0-9.+-]+", choice.strip())[0] for choice in group.split("|")] for group in depends.split(",") if group.strip()]


def closure(wanted):
    """The stanzas of the wanted packages, of the essential ones and of all that they depend on."""
    stanzas, provided = installed()
    found, missing = {}, []
    todo = [[name] for name, fields in stanzas.items() if fields.get("Essential") == "yes"] + [[name] for name in BASE] + wanted
    while todo:
        choices = todo.pop()
        name = next((choice for choice in choices if choice in stanzas), None)
        name = name or next((provided[choice] for choice in choices if choice in provided), None)
        if name is None:
            missing.append(" | ".join(choices))
        elif name not in found:
            found[name] = stanzas[name]
            todo += names(stanzas[name].get("Depends", "") + "," + stanzas[name].get("Pre-Depends", ""))
    if missing:
        raise Unfit(f"These packages are not installed here, and the clean root is made of what is: {', '.join(sorted(missing))}. "
                    "scripts/deps install")
    return found


class CleanRoot:
    """`wanted`: the values of Depends fields. start() boots it, run() runs a command in it as root."""

    def __init__(self, *wanted):
        self.packages = closure([group for depends in wanted for group in names(depends)])
        self.process = None
        self.directory = tempfile.mkdtemp(prefix="junban-root-")
        self.group = f"junban-package-{pathlib.Path(self.directory).name}"

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.kill()  # and with it everything in its process namespace
            self.process.wait()
            self.process.stdin.close()
        self.remove_group()
        shutil.rmtree(self.directory, ignore_errors=True)

    def remove_group(self):
        script = ('mount -t cgroup2 none "$1" && cd "$1" && test -d "$2" || exit 0\n'
                  'for _ in 1 2 3 4 5 6 7 8 9 10; do\n'
                  '  find "$2" -depth -type d -exec rmdir {} + 2>/dev/null && exit\n'
                  '  sleep 0.1\n'
                  'done')
        subprocess.run(["unshare", "--mount", "sh", "-c", script, "sh", self.directory, self.group], check=False, capture_output=True)

    def files(self):
        """The paths of all packages, and dpkg's files of them."""
        for name, fields in sorted(self.packages.items()):
            lists = [path for path in (INFO / f"{name}.list", INFO / f"{name}:{fields['Architecture']}.list") if path.exists()]
            for path in lists[0].read_text().splitlines():
                if path != "/." and not LEFT_OUT.match(path):
                    yield path
            stem = lists[0].name.removesuffix(".list")
            for path in INFO.glob(f"{stem}.*"):
                yield str(path)
        for path in ("format", "diversions", "statoverride"):
            if (INFO / path).exists():
                yield str(INFO / path)
        # Files that the packages' scripts make when they are installed.
        for place in ("/etc/alternatives", "/var/lib/dpkg/alternatives", "/etc/pam.d"):
            yield place
            yield from map(str, pathlib.Path(place).iterdir())

    # In namespaces of its own: the files in memory, then what every system has, then systemd in the place of this shell.
    BOOT = r"""
set -e
root=$1 group=$2 files=$3
mount --make-rprivate /
mkdir -p "$root/cgroup" && mount -t cgroup2 none "$root/cgroup"
mkdir -p "$root/cgroup/$group"
echo 0 > "$root/cgroup/$group/cgroup.procs"
umount -l "$root/cgroup"
exec unshare --cgroup --pid --fork --kill-child --uts --ipc --net sh -e -c '
root=$1 files=$2
mount -t tmpfs -o mode=0755,size=3g root "$root"
cd "$root"
mkdir -p usr/bin usr/sbin usr/lib usr/lib64 usr/lib32 usr/libx32 proc sys dev run tmp var/tmp var/lib/dpkg/info var/lib/dpkg/updates old root
for name in bin sbin lib lib64; do test ! -L /$name || ln -s usr/$name $name; done
chmod 1777 tmp var/tmp
tar --create --no-recursion --ignore-failed-read --warning=no-failed-read --directory / --null --files-from "$files" 2>/dev/null |
    tar --extract --keep-directory-symlink --directory "$root"
cp "${files%/*}/status" var/lib/dpkg/status
cp usr/share/base-passwd/passwd.master etc/passwd
cp usr/share/base-passwd/group.master etc/group
sed "s/:.*/:*:19000:0:99999:7:::/" etc/passwd > etc/shadow
cp etc/group etc/gshadow && sed -i "s/:.*/:*::/" etc/gshadow
chmod 0640 etc/shadow etc/gshadow
echo 0123456789abcdef0123456789abcdef > etc/machine-id
echo clean > etc/hostname
echo "127.0.0.1 localhost clean" > etc/hosts
rm -rf etc/dpkg/dpkg.cfg.d
mount -t proc proc proc
for name in sys sysrq-trigger; do test ! -e proc/$name || mount -o bind,ro proc/$name proc/$name; done
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup sys/fs/cgroup
mount -t tmpfs -o mode=0755 dev dev
mkdir dev/pts dev/shm
for name in null zero full random urandom tty; do touch dev/$name; mount --bind /dev/$name dev/$name; done
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mount -t tmpfs -o mode=1777 shm dev/shm
mount -t tmpfs -o mode=0755 run run
mkdir run/lock
ldconfig -r .
pivot_root . old
cd /
umount -l old
rmdir old
exec env -i container=junban-test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --log-target=journal --show-status=no systemd.unit=multi-user.target
' sh "$root" "$files"
"""

    def start(self):
        place = pathlib.Path(self.directory, "of")
        place.mkdir()
        (place / "files").write_bytes(b"\0".join(path.lstrip("/").encode() for path in self.files()))
        (place / "status").write_text("\n\n".join(fields["stanza"].strip("\n") for _, fields in sorted(self.packages.items())) + "\n\n")
        root = pathlib.Path(self.directory, "root")
        root.mkdir()
        self.log = open(pathlib.Path(self.directory, "boot.log"), "w+b")
        command = ["unshare", "--mount", "sh", "-c", self.BOOT, "sh", root, self.group, place / "files"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=self.log, stderr=self.log, start_new_session=True,
                                        preexec_fn=die_with_parent)
        until(self.booted, 60, "a system that has booted")

    def booted(self):
        if self.process.poll() is not None:
            raise Unfit("A clean Debian cannot be booted here. It needs root, with the right to mount (in a container: --privileged), cgroup2 in "
                        f"the kernel, and systemd: {self.said()}")
        state = self.run("systemctl", "is-system-running", check=False).stdout.strip()
        return state in ("running", "degraded")

    def said(self):
        return pathlib.Path(self.directory, "boot.log").read_text(errors="replace")

    def leader(self):
        """The systemd that is its first process: the child of unshare, which is this process itself after two exec calls."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return children[0] if children else None

    def run(self, *command, check=True, text=None, timeout=60, **environment):
        leader = self.leader()
        if leader is None:
            return subprocess.CompletedProcess(command, 1, "", "")
        where = ["nsenter", "--target", leader, "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--root", "--wd"]
        clean = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "HOME": "/root", "DEBIAN_FRONTEND": "noninteractive", **environment}
        done = subprocess.run([*where, *command], env=clean, input=text, capture_output=True, text=True, timeout=timeout, check=False)
        if check and done.returncode != 0:
            raise AssertionError(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done
