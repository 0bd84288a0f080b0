"""Chats with tools: a call, two calls, an answer from a result, no call."""
from . import facts
from .chat import (Chat, assistant, calling, maybe_system, tool_result,
                   user)
from .tool_kinds import BOOK, KINDS

# Tools that make sense twice in one question.
TWICE = ("get_weather", "weather", "get_current_weather", "get_time",
         "set_timer", "turn_on_light", "turn_off_light", "get_price",
         "get_user")
LOWERED = ("What", "How", "Tell", "Is", "Search", "Set", "Send", "Play",
           "Turn", "Please")
GREETED = [
    ("Hello!", "Hello! How can I help you?", "The user greets me."),
    ("Thank you!", "You are welcome!", "The user thanks me."),
    ("Who are you?", "I am Tiny, a small language model.",
     "The user asks who I am."),
    ("Hi", "Hello! How can I help you?", "The user greets me."),
    ("How are you?", "I am fine, thank you!", "The user asks how I am.")]


def chat(w, first=None):
    """first: the kind of tool to use, any if None."""
    tools = _choose(w, first)
    order = list(range(len(tools)))
    w.rng.shuffle(order)
    offered = [tools[i].definition for i in order]
    system, thinks, x = maybe_system(w, .35), w.chance(.5), w.random()
    if x < .13:
        return _no_tool_fits(w, system, offered, thinks)
    tool = tools[0]
    use = tool.use(w)
    before = _small_talk(w)
    if x < .60:
        return Chat(before + [user(use.question),
                              calling([(tool.name, use.arguments)])],
                    system, offered, use.thought if thinks else None)
    if x < .66 and first is None and tool.name in TWICE:
        return _two_calls(w, before, tool, use, system, offered, thinks)
    return _answer_a_result(w, before, tool, use, system, offered, thinks)


def _choose(w, first):
    """One to three kinds of tools; the first is the one to use."""
    kinds = [first or w.pick(KINDS)]
    for _ in range(w.one_of(0, 0, 0, 1, 1, 2, 2)):
        kind = w.pick(KINDS)
        if kind not in kinds:
            kinds.append(kind)
    return [kind(w) for kind in kinds]


def _no_tool_fits(w, system, offered, thinks):
    if w.chance(.6):
        questions, answer, _, thought = facts.fact(w)
        asked = w.pick(questions)
    else:
        asked, answer, thought = w.pick(GREETED)
    return Chat([user(asked), assistant(answer)], system, offered,
                thought + " No tool is needed." if thinks else None)


def _small_talk(w):
    if w.chance(.15):
        it = facts.fact(w)
        return [user(w.pick(it.questions)), assistant(it.answer)]
    if w.chance(.1):
        return [user(BOOK.say(w, "greet")),
                assistant(BOOK.say(w, "greet back"))]
    return []


def _two_calls(w, before, tool, use, system, offered, thinks):
    second = tool.use(w)
    asked = second.question
    if asked.split()[0] in LOWERED:
        asked = asked[0].lower() + asked[1:]
    asked = f"{use.question.rstrip('.?')} and {asked}"
    calls = [(tool.name, use.arguments), (tool.name, second.arguments)]
    thought = f"The user asks two things. I call {tool.name} twice."
    if w.chance(.5):
        return Chat(before + [user(asked), calling(calls)], system, offered,
                    thought if thinks else None)
    kept = thought if thinks and w.chance(.5) else None
    return Chat(before + [user(asked), calling(calls, kept),
                          tool_result(use.result),
                          tool_result(second.result),
                          assistant(f"{use.answer} {second.answer}")],
                system, offered, "I have both results." if thinks else None)


def _answer_a_result(w, before, tool, use, system, offered, thinks):
    call = calling([(tool.name, use.arguments)],
                   use.thought if w.chance(.4) else None)
    usual = w.held_out or w.chance(.85)
    return Chat(before + [user(use.question), call,
                          tool_result(use.result),
                          assistant(use.answer if usual
                                    else use.other_answer)],
                system, offered,
                BOOK.say(w, "have the result") if thinks else None)
