"""A headless Chromium that is spoken to over a pipe: no port, no network, nothing to install beside it."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

FOUND = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_PATIENCE_S = 60.0


class Refused(AssertionError):
    """What Chromium answered in place of a result."""


class Chromium:
    """One page of one browser; `events` holds what the browser has said about it."""

    def __init__(self, width: int = 1280, height: int = 900) -> None:
        assert FOUND is not None
        self._home = tempfile.mkdtemp(prefix="chromium-")
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
                 "--disable-background-networking", "--disable-dev-shm-usage",
                 "--remote-debugging-pipe", f"--user-data-dir={self._home}"]  # fmt: skip

        # Chromium reads commands from descriptor 3 and writes answers to 4.
        joined = f'exec "$@" 3<&{to_read} 4>&{to_write}'
        self._process = subprocess.Popen(
            ["bash", "-c", joined, "bash", FOUND, *flags, "about:blank"],
            pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(to_read)
        os.close(to_write)
        os.set_blocking(self._read, False)
        self._pending = b""
        self._last = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        self._session = self.call("Target.attachToTarget", targetId=self._page(), flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.resize(width, height)

    def _page(self) -> str:
        """The one that it opens, beside which newer ones list parts of their own window."""
        end = time.monotonic() + _PATIENCE_S
        while time.monotonic() < end:
            for target in self.call("Target.getTargets")["targetInfos"]:
                if target["type"] == "page":
                    return str(target["targetId"])
            time.sleep(0.05)
        raise TimeoutError("Chromium opened no page")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._read)
        os.close(self._write)
        shutil.rmtree(self._home, ignore_errors=True)

    def __enter__(self) -> Chromium:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(self, method: str, **params: Any) -> Any:
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + _PATIENCE_S
        while time.monotonic() < end:
            answer = self._next()
            if answer is None:
                time.sleep(0.005)
            elif answer.get("id") == self._last:
                if "error" in answer:
                    raise Refused(answer["error"]["message"])
                return answer["result"]
            else:
                self.events.append(answer)
        raise TimeoutError(method)

    def _next(self) -> dict[str, Any] | None:
        while b"\0" not in self._pending:
            try:
                read = os.read(self._read, 1 << 20)
            except BlockingIOError:
                return None
            assert read, "Chromium has ended"
            self._pending += read
        line, _, self._pending = self._pending.partition(b"\0")
        found: dict[str, Any] = json.loads(line)
        return found

    def open(self, file: Path) -> None:
        self.visit(file.resolve().as_uri())

    def visit(self, address: str) -> None:
        self.events.clear()
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")

    def run(self, expression: str) -> Any:
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, condition: str) -> None:
        end = time.monotonic() + _PATIENCE_S
        while not self._holds(condition):
            assert time.monotonic() < end, condition
            time.sleep(0.05)

    def _holds(self, condition: str) -> bool:
        """Whether it is so now; a page that is just being renewed is asked once more by whoever waits."""
        try:
            return bool(self.run(f"Boolean({condition})"))
        except Refused as refused:
            if "navigated" in str(refused) or "context" in str(refused):
                return False
            raise

    def point(self, x: float, y: float, *, click: bool = False) -> None:
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased") if click else ():
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def resize(self, width: int, height: int) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 500)  # fmt: skip

    def dark(self, on: bool) -> None:
        value = "dark" if on else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": value}])

    def picture(self, *, top: int = 0, height: int | None = None) -> bytes:
        """PNG of what is in sight, or of so many pixels of the page from `top` on."""
        if height is None:
            return base64.b64decode(self.call("Page.captureScreenshot")["data"])
        width = self.run("innerWidth")
        clip = {"x": 0, "y": top, "width": width, "height": height, "scale": 1}
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        return base64.b64decode(shot["data"])

    @property
    def complaints(self) -> list[str]:
        """Exceptions, errors and warnings of the console, and refusals of the page's own policy."""
        self.run("0")
        found = []
        for event in self.events:
            match event["method"], event["params"]:
                case "Runtime.exceptionThrown", params:
                    found.append(json.dumps(params["exceptionDetails"])[:500])
                case "Runtime.consoleAPICalled", {"type": "error" | "warning", "args": arguments}:
                    found.append(json.dumps(arguments)[:500])
                case "Log.entryAdded", params:
                    found.append(params["entry"]["text"])
        return found

    @property
    def requests(self) -> list[str]:
        """What the page asked for, itself left out."""
        sent = [
            e["params"]["request"]["url"] for e in self.events if e["method"] == "Network.requestWillBeSent"
        ]
        return [url for url in sent[1:] if not url.startswith("data:")]
