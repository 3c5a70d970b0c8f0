"""What is lost or left when a run is killed, runs out of disk, or is started twice: nothing.

    OMP_NUM_THREADS=1 python recipes/benchmarks/kills.py [--rounds 30] [--only augment,pool,train,...] [--every 1]

Each trial is a process that is killed with SIGKILL: at a random moment, or before the n-th change that it makes to its
folder, for every n. Then the same command runs to its end. The table counts the trials in which

- lost: what was there before is neither there nor the whole new output, or the next run failed;
- left: a temporary file, a lock or a worker process is still there;
- other: the output differs from that of a run that nothing disturbed.

The exit code is 1 if there are any.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import importlib
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import datasets
import psutil

from sda_hf import Negation, TfidfNegatives, cli
from sda_hf.files import read_rows, write_rows

SUBJECTS = ("The dog", "A man in a red coat", "My brother", "The committee", "She", "Our neighbour's cat")
VERBS = ("left the house", "was sleeping", "can repair it", "rejected the plan", "opens the door", "has seen it")
FORMATS = ("txt", "csv", "jsonl", "parquet")
# The changes to files that Python reports before they happen, and the place of the path among their arguments.
CHANGES = {"os.rename": 0, "os.remove": 0, "os.mkdir": 0, "os.rmdir": 0, "os.link": 0, "os.chmod": 0, "open": 0}
# Times differ from run to run.
TIMES = re.compile(
    rb'"(?:seconds|rows_per_second|train_runtime|\w+_(?:runtime|per_second))": [\d.e-]+'
    rb"|- \*\*(?:Training|Evaluation|Total)\*\*: [^\n]*"
)
RECIPE = """\
model:
  build: {layers: 1, hidden_size: 16, heads: 2, intermediate_size: 32, vocab_size: 200, max_length: 32}
data: {files: in.txt, limit: 24}
augmentation:
  name: triplets
  positive: {name: punctuation-insertion}
  negative: {name: negation}
loss: {name: margin-negation-infonce, margin: 0.0, projection: mlp2bn}
training:
  learning_rate: 1e-2
  batch_size: 4
  max_steps: 5
  logging_steps: 2
  arguments: {disable_tqdm: true}
evaluation: {dev: pairs.tsv, every_steps: 2, test: pairs.tsv}
"""


# -- processes -------------------------------------------------------------------------------------


@dataclasses.dataclass
class Child:
    """A copy of this process, with everything imported, that calls a function."""

    pid: int
    log: Path

    @classmethod
    def start(cls, work: Callable[[], object], log: Path) -> Child:
        sys.stdout.flush()
        pid = os.fork()
        if pid:
            return cls(pid, log)
        code = 70
        try:
            out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(out, 1)
            os.dup2(out, 2)
            work()
            code = 0
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
        except BaseException:  # noqa: BLE001 - a child must not go on as its parent
            import traceback

            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def kill_after(self, seconds: float) -> bool:
        """Kill it, and return whether it was still at work."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                return False
            time.sleep(0.002)
        os.kill(self.pid, signal.SIGKILL)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1]) == -signal.SIGKILL

    def wait(self) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def command(*words: object) -> Callable[[], None]:
    def work() -> None:
        sys.argv = ["sda-hf", *map(str, words)]
        cli.main()

    return work


def killed_before(number: int, folder: Path, work: Callable[[], object]) -> Callable[[], None]:
    """Let a function be killed before its n-th change to a folder."""

    def watched() -> None:
        seen = 0

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal seen
            if event not in CHANGES or (event == "open" and not _writes(arguments)):
                return
            path = arguments[CHANGES[event]]
            if isinstance(path, (str, bytes, os.PathLike)):
                absolute = os.path.abspath(os.fsdecode(path))
                # What rmtree removes is named relative to an open folder.
                if not absolute.startswith(str(folder)) and os.path.isabs(os.fsdecode(path)):
                    return
                seen += 1
                if seen == number:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hook)
        work()

    return watched


def _writes(arguments: tuple[object, ...]) -> bool:
    _, mode, flags = arguments
    if isinstance(mode, str):
        return any(letter in mode for letter in "wax+")
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR))


def with_room(size: int, work: Callable[[], object]) -> Callable[[], None]:
    """Let files grow to `size` bytes only, as on a full disk."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        work()

    return limited


# -- what is there ---------------------------------------------------------------------------------


def snapshot(folder: Path) -> dict[str, bytes]:
    """Return the content of each file, without times; checkpoints are there to be resumed from alone."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and "checkpoints/" not in name and not _hidden(name):
            found[name] = TIMES.sub(b"", path.read_bytes()).replace(str(folder).encode(), b"")
    return found


def leftovers(folder: Path) -> list[str]:
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*"))
    return [name for name in names if _hidden(name)]


def _hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))


def orphans() -> list[psutil.Process]:
    """Return copies of this process that lost their parent."""
    mine = psutil.Process().cmdline()
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.pid != os.getpid() and process.cmdline() == mine and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def no_workers(seconds: float = 5.0) -> bool:
    """Whether all workers ended in time; those that did not are ended."""
    deadline = time.monotonic() + seconds
    while orphans():
        if time.monotonic() > deadline:
            for process in orphans():
                process.kill()
            return False
        time.sleep(0.05)
    return True


# -- scenarios -------------------------------------------------------------------------------------


@dataclasses.dataclass
class Row:
    """A line of the table."""

    name: str
    trials: int = 0
    disturbed: int = 0
    lost: int = 0
    left: int = 0
    other: int = 0
    notes: list[str] = dataclasses.field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        return not (self.lost or self.left or self.other)


@dataclasses.dataclass
class Scenario:
    """A command, where it writes, and what is there before.

    Args:
        name: its name in the table.
        work: place → the function to call; it is called again after the kill.
        before: fills the place before the first call; None leaves it empty.
        once: whether a second call is refused as the output exists.
    """

    name: str
    work: Callable[[Path], Callable[[], object]]
    before: Callable[[Path], object] | None = None
    once: bool = False


class Trials:
    """Runs scenarios in a folder of their own."""

    def __init__(self, top: Path, seed: int) -> None:
        self.top, self.random = top, random.Random(seed)

    def fresh(self, scenario: Scenario) -> Path:
        place = self.top / "place"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        if scenario.before is not None:
            scenario.before(place)
        return place

    def undisturbed(self, scenario: Scenario) -> tuple[dict[str, bytes], dict[str, bytes], float]:
        """Return what is there before and after a run, and its duration."""
        place = self.fresh(scenario)
        before, work = snapshot(place), scenario.work(place)
        began = time.monotonic()
        child = Child.start(work, self.top / "log")
        if child.wait() != 0:
            raise SystemExit(f"{scenario.name} fails undisturbed:\n{child.log.read_text()}")
        return before, snapshot(place), time.monotonic() - began

    def random_kills(self, scenario: Scenario, rounds: int) -> Row:
        before, after, seconds = self.undisturbed(scenario)
        row = Row(scenario.name)
        for _ in range(rounds):
            place = self.fresh(scenario)
            child = Child.start(scenario.work(place), self.top / "log")
            row.disturbed += child.kill_after(self.random.uniform(0, seconds))
            self.judge(scenario, row, place, before, after)
        return row

    def every_kill(self, scenario: Scenario, every: int) -> Row:
        before, after, _ = self.undisturbed(scenario)
        row = Row(f"{scenario.name}, at every step")
        number = 1
        while True:
            place = self.fresh(scenario)
            code = Child.start(killed_before(number, place, scenario.work(place)), self.top / "log").wait()
            row.disturbed += code == -signal.SIGKILL
            self.judge(scenario, row, place, before, after)
            if code != -signal.SIGKILL:
                return row
            number += every

    def judge(
        self, scenario: Scenario, row: Row, place: Path, before: dict[str, bytes], after: dict[str, bytes]
    ) -> None:
        """Look at a place after a kill, run the command again, and look again."""
        row.trials += 1
        if not no_workers():
            row.left += 1
            row.notes.append("worker processes are left")
        if place.joinpath("out").is_file() and snapshot(place) not in (before, after):
            row.lost += 1
            row.notes.append("a half output")
        child = Child.start(scenario.work(place), self.top / "log")
        code, said = child.wait(), child.log.read_text()
        whole = scenario.once and code == 2 and ("already exists" in said or "is finished" in said)
        if code != 0 and not whole:
            row.lost += 1
            row.notes.append(said.strip().splitlines()[-1] if said.strip() else f"exit code {code}")
        self.compare(row, place, after)

    def compare(self, row: Row, place: Path, after: dict[str, bytes]) -> None:
        found, left = snapshot(place), leftovers(place)
        if left:
            row.left += 1
            row.notes.append(f"left: {left[0]}")
        if found != after:
            row.other += 1
            differing = sorted(name for name in {*found, *after} if found.get(name) != after.get(name))
            row.notes.append(f"differs: {', '.join(differing[:3])}")

    def full_disk(self, scenario: Scenario, rounds: int) -> Row:
        """Run with too little room: one line, exit code 2, and only what was there before; then with room."""
        before, after, _ = self.undisturbed(scenario)
        largest = max(map(len, after.values()))
        row = Row(f"{scenario.name}, disk full")
        for size in [0, 1, *(self.random.randrange(largest) for _ in range(rounds - 2))][:rounds]:
            place = self.fresh(scenario)
            # The log itself must not grow beyond its room: what is said is short.
            child = Child.start(with_room(max(size, 4000), scenario.work(place)), self.top / "log")
            code, said = child.wait(), child.log.read_text()
            row.trials += 1
            row.disturbed += code != 0
            if code != 0:
                last = said.strip().splitlines()[-1]
                if code != 2 or "Traceback" in said or not last.startswith("error: "):
                    row.other += 1
                    row.notes.append(f"exit code {code}: {last}")
                if leftovers(place):
                    row.left += 1
                    row.notes.append(f"left: {leftovers(place)[0]}")
                if any(snapshot(place).get(name) != content for name, content in before.items()):
                    row.lost += 1
            row.trials -= 1
            self.judge(scenario, row, place, before, after)
        return row

    def two_at_once(self, scenario: Scenario, rounds: int) -> Row:
        """Start the command twice: one ends well, the other is refused, or finds its work done."""
        _, after, seconds = self.undisturbed(scenario)
        row = Row(f"{scenario.name}, two at once")
        for _ in range(rounds):
            place = self.fresh(scenario)
            first = Child.start(scenario.work(place), self.top / "log")
            time.sleep(self.random.uniform(0, seconds / 2))
            second = Child.start(scenario.work(place), self.top / "log-2")
            codes = first.wait(), second.wait()
            row.trials += 1
            row.disturbed += 2 in codes
            if sorted(codes) not in ([0, 0], [0, 2]):
                row.lost += 1
                row.notes.append(f"exit codes {codes}")
            self.compare(row, place, after)
        return row


def augmenting(top: Path) -> list[Scenario]:
    """Return the commands that rewrite files."""

    def augment(kind: str, *options: str) -> Callable[[Path], Callable[[], object]]:
        return lambda place: command(
            "augment", top / f"in.{kind}", place / f"out.{kind}", "--augmenter", "negation", *options
        )

    def old(kind: str) -> Callable[[Path], object]:
        return lambda place: write_rows(place / f"out.{kind}", [{"text": "Old."}])

    return [
        *(Scenario(f"augment {kind}", augment(kind), once=True) for kind in FORMATS),
        *(Scenario(f"augment {kind} --overwrite", augment(kind, "--overwrite"), old(kind)) for kind in FORMATS),
    ]


def pooling(top: Path) -> list[Scenario]:
    """Return the commands that rewrite files in several processes."""

    def augment(kind: str) -> Callable[[Path], Callable[[], object]]:
        words = ["--augmenter", "negation", "--num-proc", "2"]
        return lambda place: command("augment", top / f"in.{kind}", place / f"out.{kind}", *words)

    return [Scenario(f"augment {kind} --num-proc 2", augment(kind), once=True) for kind in ("jsonl", "parquet")]


def training(top: Path) -> list[Scenario]:
    """Return the commands that train."""

    def train(*options: str) -> Callable[[Path], Callable[[], object]]:
        return lambda place: command("train", top / "tiny.yaml", "--output", place / "run", *options)

    def old_run(place: Path) -> None:
        if not (top / "old").exists():
            Child.start(train("--set", "training.max_steps=2")(top / "made"), top / "log").wait()
            (top / "made" / "run").rename(top / "old")
        shutil.copytree(top / "old", place / "run")

    return [
        Scenario("train --resume", train("--resume"), once=True),
        Scenario("train --overwrite", train("--overwrite"), old_run),
    ]


def saving(top: Path) -> list[Scenario]:
    """Return what saves an augmenter."""

    def save(place: Path) -> Callable[[], object]:
        fitted = TfidfNegatives().fit([row["text"] for _, row in read_rows(top / "in.txt")])

        def work() -> None:
            from sda_hf.errors import InputError

            try:
                fitted.save_pretrained(place / "augmenter")
            except InputError as error:
                print(f"error: {error}", file=sys.stderr)
                sys.exit(2)

        return work

    return [Scenario("save_pretrained", save, once=True)]


def write_inputs(top: Path, rows: int) -> None:
    texts = [f"{SUBJECTS[i % 6]} {VERBS[i // 6 % 6]} on day {i}." for i in range(rows)]
    for kind in FORMATS:
        columns = {} if kind == "txt" else {"id": "x"}
        write_rows(top / f"in.{kind}", [{"text": text, **columns} for text in texts])
    pairs = [{"sentence1": texts[i], "sentence2": texts[i * i % 30], "score": i % 5} for i in range(12)]
    write_rows(top / "pairs.tsv", pairs)
    (top / "tiny.yaml").write_text(RECIPE, encoding="utf-8")


def run(top: Path, args: argparse.Namespace) -> Iterator[Row]:
    trials = Trials(top, args.seed)
    wanted = args.only.split(",")
    groups = {"augment": augmenting(top), "pool": pooling(top), "save": saving(top), "train": training(top)}
    for group, members in groups.items():
        for scenario in members if group in wanted else ():
            yield trials.random_kills(scenario, args.rounds)
    for group, members in groups.items():
        for scenario in members if group in wanted else ():
            if "csv" not in scenario.name:
                yield trials.every_kill(scenario, args.every)
            yield trials.full_disk(scenario, max(2, args.rounds // 3))
            yield trials.two_at_once(scenario, max(1, args.rounds // 6))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30, help="random kills of each command")
    parser.add_argument("--every", type=int, default=1, help="force a kill before every n-th change")
    parser.add_argument("--only", default="augment,pool,save,train", help="groups of commands")
    parser.add_argument("--rows", type=int, default=2000, help="sentences of a file")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    datasets.disable_progress_bars()
    importlib.import_module("sda_hf.training.runner")
    Negation().augment(["He left."])  # loads the parser, which the copies of this process share
    with tempfile.TemporaryDirectory() as place:
        top = Path(place).resolve()
        datasets.config.HF_DATASETS_CACHE = top / "cache"
        (top / "made").mkdir()
        write_inputs(top, args.rows)
        print(f"{'':42} trials disturbed  lost  left other", flush=True)
        clean = True
        for row in run(top, args):
            print(f"{row.name:42} {row.trials:6} {row.disturbed:9} {row.lost:5} {row.left:5} {row.other:5}", flush=True)
            for note in dict.fromkeys(row.notes):
                print(f"    {note}", flush=True)
            clean = clean and row.is_clean
    sys.exit(not clean)


if __name__ == "__main__":
    main()
