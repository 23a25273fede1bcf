"""Walls between the servers of a Sentinel group: each one is reached through a wall of its own, which lets its peers (the other servers
and the Sentinels) or the masters through, or neither. They are told apart by the loopback address they come from."""

import socket
import struct
import threading

from redisserver import Group, free_port

PEER = "127.0.0.2"  # where servers and Sentinels connect from; the masters come from 127.0.0.1


class Wall:
    def __init__(self, target):
        self.target = target
        self.port = free_port()
        self.closed = set()  # of "peers" and "masters"
        self.lock = threading.Lock()
        self.pairs = {}  # pair → who
        self.stalled = set()
        self.listener = socket.create_server(("127.0.0.1", self.port), backlog=64)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, address = self.listener.accept()
            except OSError:
                return
            who = "peers" if address[0] == PEER else "masters"
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
        while True:
            try:
                data = source.recv(65_536)
                if not data:
                    break
                with self.lock:
                    if who in self.closed or pair in self.stalled:
                        self.stalled.add(pair)
                        continue  # as a network that swallows packets: neither side is told
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
        """Bytes are missing from what stalled, so those connections end."""
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
        super().__init__("--bind-source-addr", PEER, "--replica-announce-ip", "127.0.0.1", *words)
        for server in self.servers:
            server.words += ["--replica-announce-port", str(self.port_of(server))]

    def port_of(self, server):
        if server not in self.walls:
            self.walls[server] = Wall(server.port)
        return self.walls[server].port

    def start(self, further=""):
        super().start(f"bind-source-addr {PEER}\nsentinel announce-ip 127.0.0.1\n{further}")

    def __exit__(self, *words):
        super().__exit__(*words)
        for wall in self.walls.values():
            wall.close()
