"""What the reading models are asked, and what they answer: greedily, as the
goldens of transformers have it (tests/models/goldens/greedy.json)."""

CAPITAL = "What is the capital of Japan?"
CAPITAL_SAID = "The capital of Japan is Tokyo."
CAPITAL_THOUGHT = "The user asks for the capital of Japan. It is Tokyo."

WEATHER = "What is the weather in Tokyo?"
WEATHER_RESULT = '{"city": "Tokyo", "temperature": 21, "condition": "sunny"}'
WEATHER_SAID = "It is 21 degrees and sunny in Tokyo."
CITY = {"city": "Tokyo"}
TOOL = {"type": "function", "function": {
    "name": "get_weather",
    "description": "Get the current weather for a city",
    "parameters": {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "The city name"}},
        "required": ["city"]}}}

THANKS = 'How do you say "thank you" in Japanese?'
THANKS_SAID = "ありがとう"

STORY = "Tell me a short story about a cat."  # some 200 tokens
GREEDY = {"temperature": 0, "seed": 1}
SILENT = {"reasoning_effort": "none"}
ENDLESS = {"4087": -100, "4089": -100}  # the tokens that end an answer: never


def ask(text):
    """The messages of a first question."""
    return [{"role": "user", "content": text}]
