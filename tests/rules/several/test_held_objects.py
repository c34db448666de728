"""LP114 to LP123: objects on a dataset or module, beyond what the pages show."""

from __future__ import annotations

import pytest

from tests.rules.held_objects import DATA, codes, held


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("self.generator = torch.Generator(device='cpu')", "LP114"),
        ("self.parts = {'rng': torch.Generator()}", "LP114"),
        ("self.generator = torch.default_generator", "LP114"),
        ("self.orb = cv2.ORB_create()", "LP115"),
        ("self.capture = cv2.VideoCapture(source)", "LP115"),
        ("self.owner = weakref.ref(source)", "LP116"),
        ("self.owners = weakref.WeakSet()", "LP116"),
        ("self.handler = logging.FileHandler('log')", "LP117"),
        ("self.net = torch.jit.load('net.pt')", "LP118"),
        ("self.match = re.compile('a').match('a')", "LP119"),
        ("self.kind = types.MappingProxyType({})", "LP119"),
        ("self.point = collections.namedtuple('Point', 'x')(1)", "LP121"),
        ("self.load = functools.lru_cache()(self._read)", "LP122"),
        ("self.load = torch.inference_mode()(outer)", "LP122"),
        ("self.load = self.__private", "LP123"),
        ("self.load = functools.partial(self.__private, 1)", "LP123"),
    ],
)
def test_what_cannot_be_sent(statement: str, code: str) -> None:
    assert held(statement, "\ndef outer(x):\n    return x\n") == [code]


@pytest.mark.parametrize(
    "statement",
    [
        "self.seed = torch.Generator().initial_seed()",
        "self.state = torch.Generator().get_state()",
        "generator = torch.Generator(); self.order = torch.randperm(3, generator=generator)",
        "self.image = cv2.imread('a.png')",
        "self.size = cv2.VideoCapture(source).get(3)",
        "self.owner = weakref.ref(source)()",
        "self.log = logging.getLogger('x')",
        "self.found = re.search('a', 'a').group(0)",
        "self.found = re.search('a', 'a') is not None",
        "self.home = os.environ['HOME']",
        "self.environment = os.environ.copy()",
        "self.load = self._read",
        "self.load = outer",
        "self.value = functools.lru_cache()(outer)(1)",
        "self.value = self.__private(1)",
        "self.limits = float(torch.finfo(torch.float32).max)",
    ],
)
def test_what_can_be_sent(statement: str) -> None:
    assert held(statement, "\ndef outer(x):\n    return x\n") == []


def test_a_namedtuple_carries_what_is_in_it() -> None:
    text = "Point = collections.namedtuple('Point', 'x')\n" + DATA.format(
        body=" " * 8 + "self.point = Point(threading.Lock())"
    )
    assert codes(text) == ["LP111"]


def test_loggers_with_handlers_are_sent_by_name() -> None:
    text = """
class Log(logging.Logger):
    def __init__(self, name):
        super().__init__(name)
        self.handlers = [logging.StreamHandler()]
"""
    assert codes(text + DATA.format(body=" " * 8 + "self.log = Log('x')")) == []
