"""The lineage check: every difference is declared, every declaration true."""

from collections import namedtuple
from pathlib import PurePosixPath

from compare import changes, cut_files, is_refused, moved
from declarations import CHANGED, NEW, REMOVED, parse
from problem import Problem
from regions import WHOLE
from rooms import check_rooms, is_test, name_of
from rungs import DECLARATION, is_c, marker_line

# Two neighbouring rungs: their names, their files, and their regions by path.
Pair = namedtuple("Pair", "lower upper below above "
                          "below_regions above_regions")


def check(ladder):
    """Every Problem of {rung: {path: File}}, in the order of the rungs."""
    problems = check_markers(ladder)
    regions = cut_ladder(ladder, {problem.path for problem in problems})
    problems += check_places(ladder)
    problems += check_limits(regions)
    problems += check_function_names(regions)
    names = list(ladder)
    problems += check_lowest(names, ladder)
    for lower, upper in zip(names, names[1:]):
        pair = Pair(lower, upper, ladder[lower], ladder[upper],
                    regions[lower], regions[upper])
        problems += check_pair(pair)
    return sorted(set(problems))


def check_places(ladder):
    """A rung's files stand in its rooms; one rung a number."""
    problems = [problem for rung, files in ladder.items()
                for problem in check_rooms(rung, files)]
    names = list(ladder)
    for rung, other in zip(names, names[1:]):
        if rung[1] == other[1]:
            problems.append(Problem(other, 1, f"{rung} has this number too"))
    return problems


def check_markers(ladder):
    """A conflict that was left in a file."""
    problems = []
    for rung, files in ladder.items():
        for path, file in files.items():
            line = marker_line(file)
            if line:
                problems.append(Problem(f"{rung}/{path}", line, "a conflict "
                                        "marker: mend the conflict and remove "
                                        "its markers"))
    return problems


def cut_ladder(ladder, left_out):
    """{rung: {path: regions or Refusal}}, without the files `left_out`."""
    files = {(rung, path): (path, file) for rung, content in ladder.items()
             for path, file in content.items()
             if f"{rung}/{path}" not in left_out}
    result = {rung: {} for rung in ladder}
    for (rung, path), regions in cut_files(files).items():
        result[rung][path] = regions
    return result


def check_limits(regions):
    """Each construct outside the limits, where the lowest rung has it."""
    problems, seen = [], set()
    for rung, files in regions.items():
        for path, cut in files.items():
            if is_refused(cut) and (path, cut.message, cut.line) not in seen:
                seen.add((path, cut.message, cut.line))
                problems.append(cut.at(f"{rung}/{path}"))
    return problems


def check_function_names(regions):
    """A function's name is unique in its rung, so that FN=name finds it; but
    files that take each other's place have the same ones."""
    problems = []
    for rung, files in regions.items():
        seen = {}
        for path in sorted(files):
            if is_c(path) and not is_test(path) and not is_instead(path):
                problems += find_twins(rung, path, files[path], seen)
    return problems


def is_instead(path):
    """Whether a header stands instead of others of its kind: one of all
    set_*.h is in front of a kernel, each for other instructions."""
    return PurePosixPath(path).match("set_*.h")


def find_twins(rung, path, cut, seen):
    """The functions of one file that `seen` has from another."""
    problems = []
    for region in [] if is_refused(cut) else cut:
        if region.is_function and region.name in seen:
            problems.append(Problem(
                f"{rung}/{path}", region.start, f"function {region.name} "
                f"stands in {seen[region.name]} too: rename one of them"))
        elif region.is_function:
            seen[region.name] = path
    return problems


def check_lowest(names, ladder):
    """The lowest rung copies nothing."""
    if names and DECLARATION in ladder[names[0]]:
        return [Problem(f"{names[0]}/{DECLARATION}", 1, "the lowest rung "
                        "copies none: remove this file")]
    return []


def check_pair(pair):
    """A rung against the one below it."""
    path = f"{pair.upper}/{DECLARATION}"
    if DECLARATION not in pair.above:
        return [Problem(path, 1, f"this file is missing: write \"from "
                        f"{pair.lower}\", \"idea …\" and what is new, "
                        "changed and removed (tests/lineage/README.md)")]
    lineage = parse(path, pair.above[DECLARATION].text or "")
    if lineage.origin and lineage.origin != pair.lower:
        lineage.complain(lineage.origin_line, f"from {lineage.origin}, but "
                         f"the rung below is {pair.lower}: write that")
    return (lineage.problems + check_new(pair, lineage)
            + check_removed(pair, lineage) + check_changed(pair, lineage))


def check_new(pair, lineage):
    """Files that only the upper rung has, against the `new` lines."""
    entries = [entry for entry in lineage.entries if entry.verb == NEW]
    problems = []
    for path in sorted(set(pair.above) - set(pair.below) - {DECLARATION}):
        if not any(entry.covers(path) for entry in entries):
            problems.append(Problem(
                f"{pair.upper}/{path}", 1, f"is not in {pair.lower}: declare "
                f"\"new {name_of(path)}\", or its room, in {lineage.path}, or "
                "remove it"))
    for entry in entries:
        covered = [path for path in pair.above if entry.covers(path)]
        if not covered:
            problems.append(stale(lineage, entry, "there is no such "
                                  + ("room" if entry.is_room else "file")))
        elif entry.is_room and any(map(entry.covers, pair.below)) or \
                all(path in pair.below for path in covered):
            problems.append(stale(lineage, entry, f"{pair.lower} has it too"))
    return problems


def check_removed(pair, lineage):
    """Files that only the lower rung has, against the `removed` lines."""
    entries = [entry for entry in lineage.entries if entry.verb == REMOVED]
    problems = []
    for path in sorted(set(pair.below) - set(pair.above) - {DECLARATION}):
        if not any(entry.covers(path) for entry in entries):
            problems.append(Problem(
                f"{pair.upper}/{path}", 1, f"is in {pair.lower} and not here: "
                f"declare \"removed {name_of(path)} # why\" in "
                f"{lineage.path}, or copy it back"))
    for entry in entries:
        if any(map(entry.covers, pair.above)):
            problems.append(stale(lineage, entry, "it is still here"))
        elif not any(map(entry.covers, pair.below)):
            problems.append(stale(lineage, entry,
                                  f"{pair.lower} does not have it"))
    return problems


def check_changed(pair, lineage):
    """Files that both rungs have, against the `changed` lines."""
    both = (set(pair.below) & set(pair.above)) - {DECLARATION}
    declared, problems = {}, []
    for entry in lineage.entries:
        if entry.verb == CHANGED:
            path = next(filter(entry.covers, sorted(both)), None)
            if path:
                declared.setdefault(path, []).append(entry)
            else:
                problems.append(stale(lineage, entry, "only files that both "
                                      "rungs have can be changed"))
    for path in sorted(both):
        problems += check_file(pair, lineage, path, declared.get(path, []))
    return problems


def check_file(pair, lineage, path, entries):
    """One file that both rungs have, region by region."""
    below, above = pair.below[path], pair.above[path]
    lower = pair.below_regions.get(path)
    upper = pair.above_regions.get(path)
    if any(cut is None or is_refused(cut) for cut in (lower, upper)):
        return []  # its markers or limits are reported already
    differing = {change.name: change for change in changes(lower, upper)}
    if below != above and not is_c(path):
        differing = {WHOLE: None}  # a binary file's bytes, or a mode
    problems = undeclared(pair, lineage, path, differing, entries)
    known = {region.name for region in lower + upper}
    problems += untrue(lineage, differing, entries, known)
    if is_c(path):
        problems += check_order(pair, path, lower, upper)
        problems += check_mode(pair, path)
    return problems


def undeclared(pair, lineage, path, differing, entries):
    """Regions that differ and that no `changed` line names."""
    declared = {entry.region for entry in entries}
    problems = []
    for name, change in differing.items():
        if name not in declared:
            rung, region, verb = placed(pair, change)
            line = region.start if region else 1
            what = "" if name == WHOLE else f"{name} "
            problems.append(Problem(
                f"{rung}/{path}", line, f"{what}{verb}: declare \"changed "
                f"{name_of(path)} {name} # why\" in {lineage.path}, or make "
                "it equal"))
    return problems


def placed(pair, change):
    """The rung and region where a change shows, and what happened to it."""
    if change is None or (change.lower and change.upper):
        return (pair.upper, change.upper if change else None,
                f"differs from {pair.lower}")
    if change.upper:
        return pair.upper, change.upper, f"is not in {pair.lower}"
    return pair.lower, change.lower, f"is not in {pair.upper}"


def untrue(lineage, differing, entries, known):
    """Declared regions that do not differ, or that do not exist."""
    problems = []
    for entry in entries:
        if entry.region not in known:
            problems.append(stale(lineage, entry, "there is no such region "
                                  f"(regions: {', '.join(sorted(known))})"))
        elif entry.region not in differing:
            problems.append(stale(lineage, entry, "it does not differ"))
    return problems


def check_order(pair, path, lower, upper):
    """The regions that both have stand in one order, so that diffs read."""
    region = moved(lower, upper)
    if not region:
        return []
    return [Problem(f"{pair.upper}/{path}", region.start, f"{region.name} "
                    f"stands in another order than in {pair.lower}: move it "
                    "back")]


def check_mode(pair, path):
    """C files are plain files in every rung."""
    if pair.below[path].mode == pair.above[path].mode:
        return []
    return [Problem(f"{pair.upper}/{path}", 1, "has another file mode than in "
                    f"{pair.lower}: chmod it")]


def stale(lineage, entry, why):
    """A declaration that is not true, or no longer."""
    what = f"{entry.verb} {entry.file} {entry.region}".strip()
    return Problem(lineage.path, entry.line, f"\"{what}\" is untrue: {why}; "
                   "remove or correct it")
