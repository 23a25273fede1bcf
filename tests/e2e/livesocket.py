"""A client of GET /v1/live, with the WebSocket library that Debian has for Python."""

import json

import websocket


class LiveSocket:
    """`token`: sent as a browser has to. `options`: of websocket.create_connection."""

    def __init__(self, url, query="", token=None, **options):
        if token:
            options["subprotocols"] = ["junban.live", f"junban.token.{token}"]
        self.socket = websocket.create_connection(f"{url}/v1/live{query}", timeout=60, **options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.shutdown()

    def frame(self):
        """(opcode, data) of the next text or close."""
        opcode, data = self.socket.recv_data()
        return opcode, getattr(data, "data", data)

    def told(self):
        opcode, data = self.frame()
        assert opcode == websocket.ABNF.OPCODE_TEXT, (opcode, data)
        return json.loads(data)

    def until_ping(self):
        while self.socket.recv_data(control_frame=True)[0] != websocket.ABNF.OPCODE_PING:
            pass

    def ask(self, message):
        self.socket.send(message if isinstance(message, str) else json.dumps(message))

    def closed(self):
        """(code, reason) with which the master closes; texts before it are passed over."""
        while True:
            opcode, data = self.frame()
            if opcode == websocket.ABNF.OPCODE_CLOSE:
                return int.from_bytes(data[:2], "big"), data[2:].decode()


def refused(url, query="", **options):
    """The status with which the master refuses to open one."""
    try:
        LiveSocket(url, query, **options).__exit__()
    except websocket.WebSocketBadStatusException as problem:
        return problem.status_code
    return 101
