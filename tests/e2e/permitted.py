"""A master on a Redis that permits its user what packaging/junban.acl lists, and nothing else."""

import os
import pathlib
import secrets
import subprocess

from harness import Master, until
from redisserver import die_with_parent, free_port

ACL = pathlib.Path(__file__).resolve().parents[2] / "packaging/junban.acl"


class Permitted(Master):
    """The Redis listens on a port, and on the embedded one's socket for tests that look into it. There its default user may do all."""

    def start(self):
        if not self.redis_pid():
            self.start_redis()
        if not hasattr(self, "given"):
            self.given = list(self.arguments)
        pepper = pathlib.Path(self.directory, "pepper")
        if not pepper.exists():
            pepper.touch(0o600)
            pepper.write_text(secrets.token_hex(32))
        with_redis = [] if "--redis" in self.given else ["--redis", self.url, "--pepper-file", str(pepper)]
        self.arguments = self.given + with_redis
        super().start()

    @property
    def url(self):
        return f"redis://junban@127.0.0.1:{self.redis_port}/?password-file={self.directory}/password"

    def start_redis(self):
        if not hasattr(self, "redis_port"):
            self.redis_port = free_port()
        password = secrets.token_hex(16)
        file = pathlib.Path(self.directory, "password")
        file.touch(0o600)
        file.write_text(password + "\n")
        rules = ACL.read_text(encoding="utf-8").replace("replace-this-password", password)
        pathlib.Path(self.directory, "users.acl").write_text(rules, encoding="utf-8")
        command = ["redis-server", "--port", str(self.redis_port), "--bind", "127.0.0.1", "--unixsocket", f"{self.directory}/redis.sock",
                   "--dir", self.directory, "--save", "", "--appendonly", "yes", "--aclfile", f"{self.directory}/users.acl",
                   "--logfile", "redis.log"]
        self.redis_process = subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=die_with_parent)
        until(lambda: self.cli("PING") == "PONG", what="a Redis with users")

    def kill_redis(self):
        super().kill_redis()
        self.redis_process.wait(20)

    def cli(self, *words):
        done = subprocess.run(["redis-cli", "-s", os.path.join(self.directory, "redis.sock"), *words], capture_output=True, text=True, timeout=30)
        return done.stdout.strip()

    def denied(self):
        """What Redis did not permit."""
        rows = self.cli("ACL", "LOG").split("\n")
        return [" ".join(rows[at - 1:at + 4]) for at, row in enumerate(rows) if row.strip() == "object"]

    def __exit__(self, *arguments):
        # Redis must not have refused anything that Junban sent, except CONFIG GET: Junban tries it, and does without.
        denied = [each for each in self.denied() if "config|get" not in each] if self.redis_pid() and not getattr(self, "expects_denials", False) else []
        super().__exit__(*arguments)
        assert not denied, denied
