"""Merges excerpts of TinyStories into one file, as data/stories.txt.xz is.

    python3 collect_stories.py FOLDER stories.txt

FOLDER holds what public repositories carry (README.md names them):
*.txt with <|endoftext|> between stories or one story a line, *.gpt2.bin
with uint16 token ids of GPT-2 (and gpt2_vocab.json), and *.lower.txt in
lower case, which is given its capitals again here."""
import array
import collections
import glob
import json
import os
import re
import sys

END = "<|endoftext|>"
PLAIN = str.maketrans({"\u2019": "'", "\u2018": "'", "\u201c": '"',
                       "\u201d": '"', "\u2013": "-", "\u2014": "-",
                       "\u2026": "...", "\u00a0": " ", "\u200b": ""})
SAYING = "said|asked|cried|yelled|shouted|replied|exclaimed|called"


def clean(text):
    text = text.replace("\r\n", "\n").translate(PLAIN)
    text = re.sub(r"[ \t]+\n", "\n", text)
    text = re.sub(r"\n\s*\n+", "\n\n", text)
    text = re.sub(r" {2,}", " ", text)
    return text.replace("``", '"').replace("''", '"').strip()


def is_whole(story):
    """Neither too short nor too long, ASCII, from a start to an end."""
    return (150 < len(story) < 3200 and all(ord(c) < 127 for c in story)
            and story[-1] in '.!?"\''
            and (story[0].isupper() or story[0] == '"'))


def split(text):
    """Stories between marks, or one a line with empty lines inside."""
    if END in text:
        return text.split(END)
    joined = re.sub(r"\n[ \t]*\n", "\0", text)
    return [line.replace("\0", "\n\n") for line in joined.split("\n")]


def read(path):
    with open(path, encoding="utf-8", errors="ignore") as file:
        return file.read()


# ------------------------------------------------------ ids of GPT-2's tokens

def gpt2_bytes():
    """{character of GPT-2's vocabulary: the byte that it stands for}"""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    table = {chr(byte): byte for byte in printable}
    table |= {chr(256 + i): byte for i, byte in enumerate(others)}
    return table


def decode_gpt2(path, vocabulary):
    with open(vocabulary, encoding="utf-8") as file:
        words = {number: word for word, number in json.load(file).items()}
    table = gpt2_bytes()
    pieces = {number: END.encode() if word == END
              else bytes(table[c] for c in word)
              for number, word in words.items()}
    ids = array.array("H")
    with open(path, "rb") as file:
        ids.frombytes(file.read())
    text = b"".join(pieces.get(each, END.encode()) for each in ids)
    return text.decode("utf-8", "ignore")


# ------------------------------------------------------------------ capitals

def learn_names(stories):
    """Words that stand with a capital inside sentences, mostly."""
    upper, lower = collections.Counter(), collections.Counter()
    for story in stories:
        for word in re.findall(r"(?<=[a-z,] )([A-Za-z][a-z]+)", story):
            (upper if word[0].isupper() else lower)[word.lower()] += 1
    return {word for word in upper
            if upper[word] >= 3 and upper[word] > 4 * lower[word]}


def give_capitals(story, names):
    def upper_last(match):
        return match[1] + match[2].upper()

    story = re.sub(r"\bi\b", "I", story)
    story = re.sub(r"[a-z]+", lambda match: match[0].capitalize()
                   if match[0] in names else match[0], story)
    story = re.sub(r'(^|[.!?]["\']?\s+"?|\n"?|(?<=[ ,])")([a-z])',
                   upper_last, story)
    story = re.sub(r'^(")([a-z])', upper_last, story)
    # after a quotation the speaker stays small: "Why?" he asked
    return re.sub(rf'([!?]") (He|She|They|The|His|Her)( (?:{SAYING}))',
                  lambda match: f"{match[1]} {match[2].lower()}{match[3]}",
                  story)


# ------------------------------------------------------------------- merging

def letters(story):
    """By its first letters a story is known again."""
    return re.sub(r"[^a-z]", "", story.lower())[:160]


def collect(folder):
    texts = [read(path) for path in sorted(glob.glob(f"{folder}/*.txt"))
             if not path.endswith(".lower.txt")]
    vocabulary = os.path.join(folder, "gpt2_vocab.json")
    texts += [decode_gpt2(path, vocabulary)
              for path in sorted(glob.glob(f"{folder}/*.gpt2.bin"))]
    stories = [clean(each) for text in texts for each in split(text)]
    stories = [each for each in stories if each and is_whole(each)]
    names = learn_names(stories)
    for path in sorted(glob.glob(f"{folder}/*.lower.txt")):
        added = (give_capitals(clean(each), names)
                 for each in split(read(path)))
        stories += [each for each in added if each and is_whole(each)]
    return list({letters(each): each for each in reversed(stories)}
                .values())[::-1]


def main():
    folder, out = sys.argv[1:]
    stories = collect(folder)
    with open(out, "w", encoding="utf-8") as file:
        file.write(f"\n{END}\n".join(stories))
    print(len(stories), "stories,", sum(map(len, stories)), "letters")


if __name__ == "__main__":
    main()
