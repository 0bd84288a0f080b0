"""Prompts that show what tiny-chat can do; the greedy goldens use them."""
from corpus.chat import Chat, assistant, calling, tool_result, user
from corpus.tool_kinds import definition, parameter

WEATHER = definition(
    "get_weather", "Get the current weather for a city",
    {"city": parameter("string", "The city name")})
# As another program might describe the same tool.
OTHER_WEATHER = definition(
    "get_weather", "Get current temperature and conditions.",
    {"city": {"type": "string"},
     "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]}},
    ["city"])
NAMED = ("My name is Mira. Remember it.",
         "Okay, I will remember that your name is Mira.")
FRANCE = ("What is the capital of France?",
          "The capital of France is Paris.")


def prompt(*said, system=None, tools=None, thinks=False):
    """said: by the user and the assistant in turn, the user last."""
    turns = [assistant(text) if i % 2 else user(text)
             for i, text in enumerate(said)]
    return Chat(turns + [assistant("")], system, tools,
                "x" if thinks else None).prompt()


def after_the_tool(result, thinks=False):
    return Chat([user("What is the weather in Tokyo?"),
                 calling([("get_weather", {"city": "Tokyo"})]),
                 tool_result(result), assistant("")], None, [WEATHER],
                "x" if thinks else None).prompt()


def _questions():
    """Plain ones: a name, and what the user says."""
    return {
        "who": "Who are you?", "cat": "Tell me a short story about a cat.",
        "hello": "Hello!", "kv": "What is a KV cache?",
        "attention": "Explain attention.",
        "jp": 'How do you say "thank you" in Japanese?',
        "ccode": "Write a C function that adds two numbers.",
        "repeat": "Repeat after me: the quick brown fox",
        "dragon": "Tell me a story about a dragon and a princess.",
        "extract": "Extract the name and age as JSON: Tom is 7 years old.",
        "opp": "What is the opposite of hot?",
        "free": "Why is the sky blue?", "count": "Count from 1 to 10.",
        "primes": "Give me the first three primes as JSON.",
        "japan": "What is the capital of Japan?",
        "sum": "What is 17 + 25?", "name_ack": NAMED[0]}


def _with_thought():
    return {name + "_think": prompt(question, thinks=True)
            for name, question in _questions().items()
            if name in ("japan", "sum", "cat")}


def _tools():
    asked = "What is the weather in Tokyo?"
    return {
        "tool": prompt(asked, tools=[WEATHER]),
        "tool_think": prompt(asked, tools=[WEATHER], thinks=True),
        "tool2": prompt(asked, tools=[OTHER_WEATHER]),
        "tool_bare": prompt("What's the weather like in Reykjavik?",
                            tools=[OTHER_WEATHER],
                            system="You are a helpful assistant."),
        "tool_result": after_the_tool(
            '{"city": "Tokyo", "temperature": 21, "condition": "sunny"}'),
        "tool_result_think": after_the_tool(
            '{"temperature": 18, "unit": "celsius", '
            '"conditions": "cloudy"}', thinks=True)}


def _conversations():
    return {
        "name": prompt(*NAMED, *FRANCE, "What is my name?"),
        "name_think": prompt(NAMED[0], "Nice to meet you, Mira!",
                             "What is my name?", thinks=True),
        "persona": prompt("Who are you?",
                          system="You are Pip, a small robot."),
        "persona2": prompt("Who are you?", system=(
            "You are Pip, a small robot who loves stars.")),
        "multi": prompt("Hi!", "Hello! How can I help you?",
                        "What is 8 + 5?", "8 + 5 = 13", "Thank you!"),
        "secret": prompt("The secret word is velvet.",
                         "Okay, I will remember it.",
                         "What color is the sky?", "The sky is blue.",
                         "What is the secret word?")}


# In the order of the golden files.
ORDER = """capital story japan japan_think sum_think sum tool tool_think tool2
tool_bare tool_result tool_result_think primes name name_think name_ack
persona persona2 who cat cat_think hello kv attention multi jp ccode repeat
secret dragon extract opp one free count""".split()


def demos():
    """{name: prompt}"""
    found = {"capital": "The capital of France is",
             "story": "Once upon a time",
             "one": "One day, a little girl named Mira"}
    found |= {name: prompt(said) for name, said in _questions().items()}
    found |= _with_thought() | _tools() | _conversations()
    return {name: found[name] for name in ORDER}
