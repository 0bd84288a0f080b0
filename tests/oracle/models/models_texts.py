"""The texts and conversations of the tokenizer and template goldens.

What could be mangled by an editor or look like something else is written
with escapes."""
from corpus.tool_kinds import definition, parameter

TEXTS = [
    "", " ", "  ", "   ", "\n", "\n\n", "\r\n", "\r", "\t", "\t\t  \n", " \n ",
    "a", " a", "A", "é", "e\u0301", "Å", "A\u030a", "ñ n\u0303", "ﬁ", "가",
    "\u1112\u1161\u11ab", "한국어", "日本語", "ありがとう", "中文测试",
    "Привет, мир!", "Γειά σου Κόσμε",
    "\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627"
     "\u0644\u0645",
    "\u05e9\u05dc\u05d5\u05dd", "नमस\u094dत\u0947", "สว\u0e31สด\u0e35",
    "Xin chào", "Chișinău", "ÄÖÜäöüß", "İstanbul ı", "naïve café résumé", "👍",
    "👍🏽", "👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧\u200d👦 family",
    "🏳\ufe0f\u200d🌈", "🇫🇷🇯🇵", "❤\ufe0f", "☕\ufe0e", "🙂🙂🙂", "a\u200bb",
    "a\u200db", "\ufeffBOM", "\xa0nbsp", "a\u2003b", "zero\x00byte",
    "\u0301 alone", "Z\u0351\u036b\u0343a\u0301lgo", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢", "١٢٣", "①②③",
    "½ ¼", "x²+y³", "±×÷≠≤≥", "“quotes” ‘single’",
    "it's I'm you're we've they'll he'd don't", "IT'S I'M YOU'RE", "it’s",
    "''s 's", "12345 67 8", "1,234,567.89", "3.14159", "0x1F 0b101",
    "2026-11-21", "10:30", "a1b2c3", "abc123def", "C++ & C#",
    "#include <stdio.h>\n", "int main(void) {\n    return 0;\n}\n",
    "\tfor (int i = 0; i < n; i++) s += a[i];\n", "if (x==y&&z!=w||!q) {}",
    "/* comment */ // line", "printf(\"%d\\n\", x);",
    "{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Tokyo\"}}",
    "[1, 2, 3]", "{}", "https://example.com/a?b=c&d=e#f", "user@example.com",
    "C:\\path\\file.txt", "/usr/bin/env", "a" * 60, "ab" * 40, " " * 40,
    " " * 41 + "x", "\n" * 17, "x" + " " * 9 + "y",
    "word  two   three    four", "trailing space ", "trailing newline\n",
    " leading", "\n leading nl", "line1\nline2\n\nline3\n\n\nline4",
    "line1\r\nline2\r\n\r\nline3", "mixed\r\n\n\r end",
    "tabs\tand\tspaces  here", "!!!", "...", "?!?!", "-----", "=====",
    "a-b_c.d,e;f:g", "(a)[b]{c}<d>", "$5.00 €10 £3 ¥100", "100%", "50°C",
    "~`^|", "<|endoftext|>", "<|im_start|>", "<|im_end|>",
    "<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n",
    "<think>\n\n</think>\n\n", "<think>hmm</think>ok",
    "<tool_call>\n{\"name\": \"add\", \"arguments\": {\"a\": 1, \"b\": "
     "2}}\n</tool_call>",
    "<tool_response>\n42\n</tool_response>",
    "text <|endoftext|> more<|endoftext|>", "<|im_start|",
    "<|im_end|><|im_end|>", "< |im_end|>", "<THINK>", "<think",
    "a<think>b</think>c", " <think> ", "\n<tool_call>\n", "<|im_sep|>",
    "<|fim_prefix|>", "HELLO WORLD", "camelCaseWord", "snake_case_word",
    "SCREAMING_CASE", "MixedCASEword123", "antidisestablishmentarianism",
    "Llanfairpwllgwyngyll", "supercalifragilisticexpialidocious",
    "The quick brown fox jumps over the lazy dog.", "What is 17 + 25?",
    "17+25=42", "The capital of France is", "Once upon a time",
    "I'll, we'LL, 'tis", "o'clock rock'n'roll", "'", "\"", "''", "\"\"", "a'",
    "'a", "\\n not newline", "é" * 20, "日" * 15, "🙂" * 7, "न\u093fह\u093eर",
    "క\u0c4dషమ", "မ\u103cန\u103aမ\u102c", "ქართული", "Հայերեն",
    "ภาษาไทย ไม\u0e48ม\u0e35ช\u0e48องว\u0e48าง", "\ufdfa", "🧑\u200d💻 codes",
    "\u2028sep\u2029", "soft\xadhyphen", "Ǆ ǅ ǆ", "ſ ẞ", "Ω Ω", "K K",
    "ｆｕｌｌｗｉｄｔｈ", "…", "— – -", "• item", "\u202eRTL",
    "x\u0302y\u0308", "q\u0307\u0323 q\u0323\u0307", "\U000e0001",
    "\ud7a3\ud7b0",
]

# Joined at random, these make 45 more texts.
PIECES = ["a", "B", "1", " ", "  ", "\n", "\r\n", "\t", ".", "!", "'s", "é",
          "e\u0301", "日", "🙂", "\u200d", "\u0301", "<think>", "<|im_end|>",
          "_", "-", "7", "Ж", "\xa0", "ß"]

WEATHER = definition("get_weather", "Get the current weather for a city",
                     {"city": parameter("string", "The city name")})
ADD = definition("add", "Add two numbers",
                 {"a": parameter("number", "First"),
                  "b": parameter("number", "Second")})
SEARCH = definition("search", "Search the web — «überall»",
                    {"query": parameter("string", "query")})
NESTED = definition("f", "d", {"o": {"type": "object"}}, [])
THREE = [WEATHER, ADD, SEARCH]
NO_THINKING = {"enable_thinking": False}
CLOSED = {"add_generation_prompt": False}


def system(content):
    return {"role": "system", "content": content}


def user(content):
    return {"role": "user", "content": content}


def assistant(content, **more):
    return {"role": "assistant", "content": content, **more}


def result(content):
    return {"role": "tool", "content": content}


def call(name, **arguments):
    return {"type": "function",
            "function": {"name": name, "arguments": arguments}}


def bare_call(name, arguments):
    """Without the outer 'function'; arguments may be a string of JSON."""
    return {"name": name, "arguments": arguments}


JAPAN = user("What is the capital of Japan?")
SUM = user("What is 17 + 25?")
TOKYO = user("What is the weather in Tokyo?")
IN_TOKYO = call("get_weather", city="Tokyo")
IN_OSLO = call("get_weather", city="Oslo")
SUNNY = result('{"temperature": 21, "condition": "sunny"}')
COUNTED = "<think>\n7 + 5 = 12\n</think>\n\n17 + 25 = 42"

# (messages, options); add_generation_prompt is true unless it is said.
PLAIN = [
    ([JAPAN], {}),
    ([JAPAN], NO_THINKING),
    ([JAPAN], {"enable_thinking": True}),
    ([system("You are Pip, a small robot."), user("Who are you?")],
     NO_THINKING),
    ([user("Hi!"), assistant("Hello! How can I help you?"),
      user("What is 8 + 5?")], {}),
    ([SUM, assistant(COUNTED), user("And 1 + 1?")], {}),
    ([SUM, assistant(COUNTED)], CLOSED),
    ([user("Hello"),
      assistant("Hi.", reasoning_content="The user greets me.")], CLOSED)]

TOOLS = [
    ([TOKYO], {"tools": [WEATHER], **NO_THINKING}),
    ([TOKYO], {"tools": [WEATHER]}),
    ([system("Be short."), user("What is the weather in São Paulo?")],
     {"tools": THREE}),
    ([TOKYO, assistant("", tool_calls=[IN_TOKYO]), SUNNY],
     {"tools": [WEATHER], **NO_THINKING}),
    ([TOKYO, assistant("", reasoning_content="I call get_weather.",
                       tool_calls=[IN_TOKYO]), SUNNY],
     {"tools": [WEATHER]}),
    ([user("Weather in Oslo and Rome?"),
      assistant("", tool_calls=[IN_OSLO, call("get_weather", city="Rome")]),
      result("cold"), result("warm")], {"tools": [WEATHER]}),
    ([user("Weather in Oslo?"),
      assistant("Let me look.", tool_calls=[IN_OSLO]), result("cold"),
      assistant("It is cold in Oslo."), user("Thanks! And in Köln?")],
     {"tools": THREE, **NO_THINKING}),
    ([user("a"),
      assistant("", tool_calls=[bare_call("add", {"a": 1, "b": 2.5})]),
      result("3.5"), assistant("3.5"), user("b"),
      assistant("", tool_calls=[bare_call("add", '{"a": 1, "b": 2}')]),
      result("3")], {"tools": THREE})]

CORNERS = [
    ([user("<tool_response>\nfake\n</tool_response>"), assistant("ok"),
      user("x")], {}),
    ([user("q"), assistant("<think>\nabc\n</think>\n\ndef"),
      user("<tool_response>\nr\n</tool_response>")], {}),
    ([system("sys"), user("one"), system("second system"), user("two")], {}),
    ([user("  spaces  \n"), assistant("\n\nanswer\n"), user("\nnext")],
     NO_THINKING),
    ([user("emoji 👍🏽 e\u0301 日本"), assistant("ok 🙂"), user("ﬁn")], {}),
    ([user("My name is Mira. Remember it."),
      assistant("Nice to meet you, Mira!"),
      user("What is the capital of France?"),
      assistant("The capital of France is Paris."),
      user("What is my name?")], NO_THINKING),
    ([user("Give me the first three primes as JSON.")], NO_THINKING),
    ([user("Tell me a short story about a cat.")], NO_THINKING),
    ([user("x"), assistant("<think>\n\n</think>\n\ny")], CLOSED),
    ([system("Tools and empty text"), user("")],
     {"tools": [WEATHER], **NO_THINKING}),
    ([user("nested"),
      assistant("", tool_calls=[
          call("f", o={"a": [1, {"b": None}], "c": True,
                       "d": "q\"uo\\te\n"}, e="ü<>&'")]),
      result("done")], {"tools": [NESTED], **NO_THINKING})]

CONVERSATIONS = PLAIN + TOOLS + CORNERS
