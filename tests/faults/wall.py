"""Firewalls between the servers and the Sentinels of a group. Each one has a wall in front of it, which can be closed for any of the others
(its peers) and for the masters. The wall knows the caller by its loopback address."""

import socket
import struct
import threading

from redisserver import Group, free_port

MASTERS = "127.0.0.1"  # the masters' address; each server and each Sentinel has another one


class Wall:
    def __init__(self, target):
        self.target = target
        self.port = free_port()
        self.closed = set()  # addresses, "peers" and "masters"
        self.lock = threading.Lock()
        self.pairs = {}  # pair → the caller
        self.stalled = set()
        self.listener = socket.create_server(("127.0.0.1", self.port), backlog=64)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, (who, _) = self.listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                near.close()
                continue
            pair = (near, far)
            with self.lock:
                self.pairs[pair] = who
            for source, sink in (pair, pair[::-1]):
                threading.Thread(target=self.pump, args=(source, sink, pair, who), daemon=True).start()

    def pump(self, source, sink, pair, who):
        kind = "masters" if who == MASTERS else "peers"
        while True:
            try:
                data = source.recv(65_536)
                if not data:
                    break
                with self.lock:
                    if who in self.closed or kind in self.closed or pair in self.stalled:
                        self.stalled.add(pair)
                        continue  # the bytes are dropped, as by a network: neither side learns of it
                sink.sendall(data)
            except OSError:
                break
        self.drop(pair)

    def drop(self, pair):
        with self.lock:
            self.pairs.pop(pair, None)
            self.stalled.discard(pair)
        for end in pair:
            try:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()

    def shut(self, *whom):
        with self.lock:
            self.closed |= set(whom)

    def open(self):
        """Opens the wall. Connections that lost bytes are closed."""
        with self.lock:
            self.closed.clear()
            stalled = list(self.stalled)
        for pair in stalled:
            self.drop(pair)

    def close(self):
        self.listener.close()
        with self.lock:
            pairs = list(self.pairs)
        for pair in pairs:
            self.drop(pair)


class WalledGroup(Group):
    def __init__(self, *words):
        self.walls = {}
        super().__init__("--replica-announce-ip", "127.0.0.1", *words)
        self.addresses = {member: f"127.0.0.{number + 2}" for number, member in enumerate(self.servers + self.sentinels)}
        for server in self.servers:
            server.words += ["--bind-source-addr", self.addresses[server], "--replica-announce-port", str(self.port_of(server))]

    def port_of(self, server):
        if server not in self.walls:
            self.walls[server] = Wall(server.port)
        return self.walls[server].port

    def lines_of(self, sentinel):
        return (f"bind-source-addr {self.addresses[sentinel]}\nsentinel announce-ip 127.0.0.1\n"
                f"sentinel announce-port {self.port_of(sentinel)}\n")

    def part(self, some, others):
        """Separates them from each other. Masters still reach all of them."""
        for one in some:
            for other in others:
                self.walls[one].shut(self.addresses[other])
                self.walls[other].shut(self.addresses[one])

    def heal(self):
        for wall in self.walls.values():
            wall.open()

    def __exit__(self, *words):
        super().__exit__(*words)
        for wall in self.walls.values():
            wall.close()
