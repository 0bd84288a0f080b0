"""What the place of a first difference says about its cause: "token 0 is
right, token 1 is wrong: positions or mask"."""

import re

PLACE = re.compile(r"^(.*): shape \(([a-z]+), [a-z]+\) = \(\d+, \d+\), "
                   r"at \((\d+), \d+\):")
LAYER = re.compile(r"layer(\d+)")

# What may differ between one of these and the next.
BETWEEN = {
    "token": "positions or mask",
    "head": "where a head begins, or whose keys and values it shares",
    "row": "where a row begins",
}
BETWEEN_ROWS = "which row is taken, or where it is put"
FIRST_TOKEN = ("token 0 is wrong already: not the angles, which are 0 at "
               "position 0; the mask only if it shows later tokens")
BETWEEN_LAYERS = ("what layer {} has of its own: its weights, its window, "
                  "its rope")


def hints(lines):
    """The hints that the first place among these lines gives."""
    place = next(filter(None, map(PLACE.match, lines)), None)
    if not place:
        return []
    name, axis, at = place[1], place[2], int(place[3])
    return [hint for hint in (layer_hint(name), axis_hint(name, axis, at))
            if hint]


def layer_hint(name):
    """A layer's numbers are compared after those of the layers before it."""
    layer = LAYER.fullmatch(name)
    if not layer or int(layer[1]) == 0:
        return ""
    return right_until("layer", int(layer[1])) + \
        BETWEEN_LAYERS.format(layer[1])


def axis_hint(name, axis, at):
    """Rows are compared in order, so those before this one are right."""
    if axis not in BETWEEN:
        return ""
    if axis == "token" and name.startswith("embed"):
        return right_until(axis, at) + BETWEEN_ROWS if at else ""
    if at:
        return right_until(axis, at) + BETWEEN[axis]
    return FIRST_TOKEN if axis == "token" else ""


def right_until(axis, at):
    """Token 0 is right, token 1 is wrong: of what is first wrong at `at`."""
    right = f"{axis} 0 is" if at == 1 else \
        f"{axis}s 0 to {at - 1} are"
    return f"{right} right, {axis} {at} is wrong: "
