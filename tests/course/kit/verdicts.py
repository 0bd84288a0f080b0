"""What the results of tests say about each function: does it pass, fail, or
wait for another, and which should be written next."""

from dataclasses import dataclass, field

PASS, FAIL, WAIT, MISSING, BROKEN, UNKNOWN = (
    "pass", "fail", "wait", "missing", "broken", "unknown")


@dataclass
class Verdict:
    """About one function; its failures are tests, those first that say where
    numbers differ, and of these the one that calls the fewest functions,
    because it tells most.  PASS: all its own tests
    pass.  FAIL: one does not, and no other function is to blame.  WAIT: for
    the functions `on`, which are not written, or fail.  MISSING: not written.
    BROKEN: its file does not compile.  UNKNOWN: no test of it could be
    run."""

    name: str
    file: str
    kind: str = PASS
    passed: int = 0
    tests: int = 0
    on: list = field(default_factory=list)
    failures: list = field(default_factory=list)


class Judge:
    """Verdicts from a course's plan, the tests' results, the functions whose
    stubs still stand, and the files that do not compile."""

    def __init__(self, plan, results, missing, broken=()):
        self.functions = {f["name"]: f for f in plan["functions"]}
        self.tests = plan["tests"]
        self.results = results
        self.missing = set(missing)
        self.broken = set(broken)
        self.reached = {}
        self.unseen = plan.get("unseen", {})

    def verdicts(self):
        """A Verdict for each function, in the plan's order."""
        first = [self.judge(f) for f in self.functions.values()]
        failing = {v.name: v for v in first if v.kind == FAIL}
        for verdict in failing.values():
            blamed = self.blame(verdict, failing)
            if blamed:
                verdict.on = blamed
        for verdict in failing.values():
            if verdict.on:
                verdict.kind = WAIT
        return first

    def judge(self, function):
        """The verdict on one function, as if no other could fail."""
        own = {test: self.results[test] for test in function["own"]
               if test in self.results}
        verdict = Verdict(function["name"], function["file"],
                          tests=len(function["own"]))
        verdict.passed = sum(r.passed for r in own.values())
        verdict.failures = sorted(
            (test for test, r in own.items()
             if not r.passed and not r.met and r.outcome != "skip"),
            key=lambda test: (not tells_where(own[test]),
                              len(self.tests[test]["calls"])))
        verdict.on = met_by(own.values(), verdict.name)
        verdict.kind = self.kind(verdict, own.values())
        if verdict.kind not in (WAIT, FAIL):
            verdict.on = []
        if verdict.kind == FAIL:
            verdict.on = []
        return verdict

    def kind(self, verdict, own):
        waiting = any(result.met for result in own)
        if verdict.file in self.broken:
            return BROKEN
        if verdict.name in self.missing and not (
                verdict.passed == len(own) > 0 and self.dispensable(verdict)):
            return MISSING
        if verdict.failures:
            return FAIL
        if waiting:
            return WAIT
        return PASS if verdict.passed else UNKNOWN

    def dispensable(self, verdict):
        """Whether a helper is done without: no test that might need it waits
        for something."""
        return self.functions[verdict.name]["static"] and not any(
            result.met for test, result in self.results.items()
            if verdict.name in self.tests[test]["calls"])

    def blame(self, verdict, failing):
        """The failing functions that explain every failure of this one: it
        calls them, so does each of the tests, and they fail elsewhere too."""
        suspects = self.reach(verdict.name) & set(failing) - {verdict.name}
        suspects = {name for name in suspects
                    if self.fails_without(failing[name], verdict.name)}
        for test in verdict.failures:
            if not suspects & set(self.tests[test]["calls"]):
                return []
        return [name for name in self.functions if name in suspects]

    def fails_without(self, verdict, name):
        """Whether one of its failures does not involve `name`."""
        return any(name not in self.tests[test]["calls"]
                   for test in verdict.failures)

    def suspects(self, verdicts, group):
        """The functions that pass, and through which failed tests of these
        ran, all the same; the likeliest come first."""
        failed = set(failures_of(group))
        ran = {test for test, result in self.results.items()
               if result.outcome != "skip"}
        found = {}
        for verdict in verdicts:
            through = {test for test in ran
                       if verdict.name in self.tests[test]["calls"]}
            if verdict.kind == PASS and through & failed:
                found[verdict.name] = likelihood(
                    len(through & failed), len(through - failed))
        return sorted(found, key=lambda name: -found[name])

    def reach(self, name):
        """All functions of the course that a function leads to."""
        if name not in self.reached:
            seen, todo = set(), [name]
            while todo:
                for called in self.functions[todo.pop()]["calls"]:
                    if called not in seen and called in self.functions:
                        seen.add(called)
                        todo.append(called)
            self.reached[name] = seen
        return self.reached[name]

    def next_function(self, verdicts):
        """(the function to write next, the test that needs fewest more, the
        functions that it needs), or None when none is missing."""
        open_ones = {v.name for v in verdicts if v.kind == MISSING}
        order = {name: i for i, name in enumerate(self.functions)}
        best = None
        for verdict in verdicts:
            for test in self.functions[verdict.name]["own"]:
                needs = [name for name in self.tests[test]["calls"]
                         if name in open_ones]
                needs.sort(key=order.get)
                key = (len(needs), [order[name] for name in needs], test)
                if needs and (best is None or key < best[0]):
                    best = key, test, needs
        if best is None:
            return None
        return self.deepest(best[2]), best[1], best[2]

    def deepest(self, names):
        """The first of these that leads to none of the others."""
        for name in names:
            if not self.reach(name) & set(names) - {name}:
                return name
        return names[0]


def tells_where(result):
    """Whether a test says at which place its numbers begin to differ."""
    return any(": shape (" in line for line in result.words)


def groups(verdicts):
    """Those that fail, in groups which share failed tests: no test tells
    which of a group is wrong.  The likeliest comes first."""
    found = []
    for verdict in verdicts:
        if verdict.kind == FAIL:
            shares = [group for group in found if any(
                set(other.failures) & set(verdict.failures)
                for other in group)]
            joined = [other for group in shares for other in group]
            found = [group for group in found if group not in shares]
            found.append(joined + [verdict])
    return [sorted(group, key=suspicion, reverse=True) for group in found]


def suspicion(verdict):
    """How much speaks against a function that fails."""
    return likelihood(len(verdict.failures), verdict.passed)


def likelihood(failed, passed):
    """What takes part in many failures, and in little that passes, is likely
    to blame (Ochiai's coefficient, but for a constant)."""
    return failed / (failed + passed) ** 0.5


def failures_of(group):
    """The failed tests of a group, those of its first function first."""
    return list(dict.fromkeys(test for verdict in group
                              for test in verdict.failures))


def met_by(results, name):
    """The first function that is not written which each test met."""
    return list(dict.fromkeys(result.met[0] for result in results
                              if result.met and result.met[0] != name))


def own_tests(plan, names=None):
    """The tests that these functions (or all) call their own, in order."""
    return list(dict.fromkeys(
        test for function in plan["functions"]
        if names is None or function["name"] in names
        for test in function["own"]))


def first_stage(plan):
    """The plan without the tests of a second stage, and without the functions
    that only those need; the plan itself where there is no such stage.  A
    function whose own tests are all of the second has those of others."""
    later = set(plan.get("later", ()))
    if not later:
        return plan
    early = [test for test in own_tests(plan) if test not in later]
    own = {}
    for function in plan["functions"]:
        own[function["name"]] = [
            test for test in function["own"] if test not in later] or [
            test for test in early
            if function["name"] in plan["tests"][test]["calls"]]
    return {**plan, "functions": [
        {**f, "own": own[f["name"]]} for f in plan["functions"]
        if own[f["name"]]]}


def limits(plan):
    """{test: the seconds that it may take}: twenty times what it took."""
    return {test: 20 * row["seconds"] for test, row in plan["tests"].items()}
