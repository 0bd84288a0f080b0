"""Make m2-forward/model/read_keys.c: which keys of a config.json transformers
reads, family by family.

    pip download --no-deps transformers==5.17.0
    python3 families_keys.py transformers-5.17.0-py3-none-any.whl FOLDER

It reads the library's source and runs none of it; FOLDER has the code that was
published beside an InternLM2's weights, since the library has none: see
families_internlm2.py.  A key counts as read when

- the code of a family (its configuration_*.py and modeling_*.py), or code that
  all families share, takes it from something that is called a configuration:
  config.key, self.text_config.key, getattr(config, "key"), config["key"],
  kwargs.pop("key"), "key" in config, rope_parameters["key"];
- a configuration's class has it as a field, a property or a class variable: a
  file's key of that name would take its place;
- the code of a family, or of configurations, has the name anywhere, on
  whatever, and some model's configuration has a field of that name: here a
  configuration may have gone by another name.

So a key may be listed that changes nothing, but one that changes something is
not missed, unless the code computes its name.  Where it does is in COMPUTED,
with the reason why no other key is meant; a new place is a mistake here.
"""
import ast
import pathlib
import re
import sys
import textwrap
import zipfile

VERSION = "5.17.0"
ROOT = pathlib.Path(__file__).resolve().parents[3]
OUTPUT = ROOT / "m2-forward" / "model" / "read_keys.c"
PUBLISHED = "internlm2"
FAMILIES = {"llama": "llama", "mistral": "mistral3?", "qwen2": "qwen2",
            "qwen3": "qwen3", "smollm3": "smollm3", "gemma2": "gemma2",
            "gemma3_text": "gemma3", "gemma4_text": "gemma4", "glm4": "glm4",
            "granite": "granite", "hunyuan_v1_dense": "hunyuan_v1_dense",
            "olmo2": "olmo2", "phi3": "phi3", "starcoder2": "starcoder2",
            "gpt_neox": "gpt_neox", PUBLISHED: PUBLISHED}  # folders

# What has no part in opening a model and in its forward pass.
APART = re.compile(
    r"models/|generation/|cli/|data/|pipelines/|exporters/|distributed/|loss/|"
    r"trainer|training_args|tokenization|image_|video_|feature_extraction|"
    r"processing_|audio_|vision_utils|backbone_utils|testing_|debug_|convert_|"
    r"hyperparameter|optimization|modelcard|model_debugging|hf_argparser|"
    r"modeling_gguf|safetensors_conversion|"
    # how the text is split, and what stands in quantization_config, which is
    # itself a key that is read
    r"quantizers/|"
    r"integrations/(?!heterogeneity|sdpa|eager|fl|moe|hub_kernels)|"
    r"utils/(?!generic|output_capturing|deprecation)|dynamic_module")
AUTO = ["models/auto/configuration_auto.py", "models/auto/auto_factory.py"]

# Files whose classes are configurations, so that `self` and `kwargs` are.
CONFIGURATION = re.compile(r"configuration_|modeling_rope_utils")

# Names that are computed, and why no other key is read by them.
COMPUTED = {
    "kwargs.pop(parameter_name, None)": "generation's: thrown away",
    "getattr(text_config, name)": "ids of tokens: a warning",
    "hasattr(config, key)": "arguments of a call",
    "getattr(config, key)": "arguments of a call",
    "kwargs.pop(key, None)": "arguments of a call",
    "class_config_dict.get(key, value)": "when it is saved",
    "getattr(config_to_return, key)": "text_config and its like: listed",
    "hasattr(self, key)": "generation's: what to save",
    "getattr(self, key)": "generation's: what to save",
    "hasattr(self, k)": "update_from_string: for who calls it",
    "getattr(self, k)": "update_from_string: for who calls it",
    "getattr(self, subconfig_key, None)": "sub_configs",
    "getattr(self, layer_types, None)": "layer_types, mlp_layer_types: listed",
    "hasattr(self, text_config_name)": "text_config, decoder ...: listed",
    "getattr(self, text_config_name, None)": "the same",
    "getattr(self, valid_text_config_names[0])": "the same",
    "hasattr(self, f'{layer_type}_long_inv_freq')": "self is a module",
    "getattr(self, f'{layer_type}_original_inv_freq')": "self is a module",
    "getattr(self, f'{layer_type}_max_seq_len_cached', "
    "self.max_seq_len_cached)": "self is a module",
    "getattr(self, f'_validate_{rope_type}_rope_parameters', None)":
        "a method",
    "getattr(subconfig, self.num_shards_attribute)": "experts, in parallel",
    "getattr(self.config, self.subconfig_key, self.config)": "sub_configs",
    "getattr(config, head_dim_key, None)": "head_dim, global_head_dim: listed",
    "getattr(config, sub_config_key)": "sub_configs",
    "getattr(self.config, subconfig_key)": "sub_configs",
    "getattr(self.config, subconfig_key, None)": "sub_configs",
    "kwargs.pop(name, None)": "arguments of a call",
    "kwargs.pop(name)": "arguments of a call",
    "kwargs.pop(old_name)": "arguments of a call",
    "kwargs.pop(kwarg_name, None)": "arguments of a call",
    "kwargs.get(arg_name)": "arguments of a call",
    "getattr(self.config, arg_name, None)": "use_cache, output_*: listed",
    "kwargs.get(f'output_{k}', getattr(self.config, f'output_{k}', False))":
        "what else to return",
    "getattr(self.config, f'output_{k}', False)": "what else to return",
}

# The same for what stands in brackets.
IN_BRACKETS = re.compile(
    # found in objects whose keys are all checked
    r"(rope_parameters|per_layer_config)\[layer_(type|idx)\]$|"
    r"[Mm]apping|MAPPING|_map\[|config_to_|"  # from names to classes
    r"(default|class|serializable)_config_dict|config_dict\[key\]|"  # saving
    r"config_dict\[cls.base_config_key\]|"  # text_config and its like: listed
    r"self\[.\]|peft_config|embed_tokens")  # no configuration


def functions_and_properties(cls):
    for item in cls.body:
        if isinstance(item, ast.FunctionDef):
            yield item.name, any("property" in ast.unparse(d) or
                                 "setter" in ast.unparse(d)
                                 for d in item.decorator_list)


def mapped_names(value):
    """The names on both sides of an attribute_map."""
    if isinstance(value, ast.Dict):
        for item in value.keys + value.values:
            if isinstance(item, ast.Constant):
                yield item.value


def fields_of(tree):
    """Fields, properties and class variables of a file's classes."""
    found, methods = set(), set()
    for cls in ast.walk(tree):
        if not isinstance(cls, ast.ClassDef):
            continue
        for name, is_property in functions_and_properties(cls):
            (found if is_property else methods).add(name)
        for item in cls.body:
            targets = getattr(item, "targets", [getattr(item, "target", None)])
            names = {t.id for t in targets if isinstance(t, ast.Name)}
            found |= names
            if "attribute_map" in names:
                found.update(mapped_names(item.value))
    return found - methods


class Reader(ast.NodeVisitor):
    """Names that a file takes from configurations, and all names in it."""

    def __init__(self, tree, defines):
        self.own = ({"self", "cls", "kwargs"} if defines else set())
        self.read, self.named, self.computed = set(), set(), set()
        self.visit(tree)

    def is_config(self, node):
        if isinstance(node, (ast.Subscript, ast.Starred)):
            return self.is_config(node.value)
        name = getattr(node, "id", getattr(node, "attr", ""))
        if isinstance(node, ast.Call):  # of getattr, get_text_config ...
            name = " ".join(ast.unparse(part)
                            for part in [node.func] + node.args[1:2])
        return (name in self.own or "config" in name.lower() or
                name.startswith(("rope_parameters", "rope_scaling")))

    def visit_Call(self, node):
        function, given = node.func, node.args
        name = getattr(function, "id", getattr(function, "attr", ""))
        if name in ("getattr", "hasattr", "setattr"):
            if len(given) > 1 and self.is_config(given[0]):
                self.take(given[1], node)
        elif isinstance(function, ast.Attribute):
            if (name in ("get", "pop", "setdefault") and given and
                    self.is_config(function.value)):
                self.take(given[0], node)
            self.visit(function.value)  # its own name is a method's
            function = None
        for part in [function] + given + node.keywords:
            if part is not None:
                self.visit(part)

    def take(self, key, call):
        if isinstance(key, ast.Constant):
            self.read.add(key.value)
        elif not isinstance(call.func, ast.Name) or call.func.id != "setattr":
            self.computed.add(ast.unparse(call))

    def visit_Attribute(self, node):
        self.named.add(node.attr)
        if self.is_config(node.value):
            self.read.add(node.attr)
        self.generic_visit(node)

    def visit_Subscript(self, node):
        if self.is_config(node.value):
            if isinstance(node.slice, ast.Constant):
                self.read.add(node.slice.value)
            elif not isinstance(node.slice, ast.Slice):
                self.computed.add(ast.unparse(node))
        self.generic_visit(node)

    def visit_Compare(self, node):
        if (isinstance(node.left, ast.Constant) and
                any(self.is_config(c) for c in node.comparators)):
            self.read.add(node.left.value)
        self.generic_visit(node)

    def visit_Constant(self, node):
        if isinstance(node.value, str):
            self.named.add(node.value)


def is_key(name):
    return (isinstance(name, str) and not name.startswith("__") and
            re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.]*", name))


def read_wheel(wheel):
    """Each file of the library as a tree."""
    with zipfile.ZipFile(wheel) as archive:
        return {name.removeprefix("transformers/"):
                ast.parse(archive.read(name))
                for name in archive.namelist()
                if name.startswith("transformers/") and name.endswith(".py")}


def read_published(folder):
    """The same of code that stands beside weights, as if it were in it."""
    return {f"models/{PUBLISHED}/{path.name}": ast.parse(path.read_bytes())
            for path in pathlib.Path(folder).glob("*.py")}


class Library:
    def __init__(self, wheel, folder):
        self.trees = read_wheel(wheel) | read_published(folder)
        self.fields = set()
        for name in self.files(r"models/[^/]*/configuration_"):
            self.fields |= fields_of(self.trees[name])

    def files(self, pattern):
        return [name for name in self.trees if re.match(pattern, name)]

    def reads(self, name, everything=False):
        """What one file reads; everything that it names, if it is a field
        somewhere."""
        tree, defines = self.trees[name], bool(CONFIGURATION.search(name))
        reader = Reader(tree, defines)
        surprise = {code for code in reader.computed - COMPUTED.keys()
                    if not IN_BRACKETS.search(code)}
        if surprise:
            sys.exit(f"{name} computes the names of keys: {surprise}")
        found = reader.read | (fields_of(tree) if defines else set())
        methods = {f.name for f in ast.walk(tree)
                   if isinstance(f, ast.FunctionDef)} - fields_of(tree)
        found -= methods
        if everything or defines:
            found |= reader.named & self.fields
        return {key for key in found if is_key(key)}

    def shared(self):
        names = [n for n in self.trees if not APART.match(n)] + AUTO
        return set().union(*(self.reads(n) for n in names))

    def family(self, folder):
        names = self.files(rf"models/{folder}/(configuration|modeling)_")
        return set().union(*(self.reads(n, True) for n in names))


# --- the file ---------------------------------------------------------------

def quoted(keys, indent):
    """A C string of words, in lines that the style allows."""
    lines = textwrap.wrap(" ".join(sorted(keys)), 74 - indent,
                          break_long_words=False, break_on_hyphens=False)
    return (' "\n' + " " * indent).join('"' + line for line in lines) + '"'


def write(shared, families):
    rows = "\n".join(f'    {{.model_type = "{name}",\n'
                     f'     .keys = {quoted(keys - shared, 13)}}},'
                     for name, keys in families.items())
    OUTPUT.write_text(f"""\
/* Which keys transformers {VERSION} reads: see read_keys.h.  Made from its
 * source by tests/oracle/forward/families_keys.py, which says what counts as
 * read. */
#include "read_keys.h"

#include "keys.h"

#include <string.h>

/* Whatever the family. */
static const char by_all[] =
    {quoted(shared, 4)};

struct reader {{
    const char *model_type, *keys;
}};

static const struct reader readers[] = {{
{rows}
}};

static const size_t n_readers = sizeof readers / sizeof readers[0];

bool transformers_reads(const char *model_type, const char *key)
{{
    for (size_t i = 0; i < n_readers; i++)
        if (strcmp(readers[i].model_type, model_type) == 0)
            return words_have(by_all, key) || words_have(readers[i].keys, key);
    return true;
}}
""")
    print(len(shared), "keys of all,", sum(map(len, families.values())),
          "of families")


def main(wheel, folder):
    if f"-{VERSION}-" not in pathlib.Path(wheel).name:
        sys.exit(f"this is about transformers {VERSION}")
    library = Library(wheel, folder)
    write(library.shared(),
          {name: library.family(folder) for name, folder in FAMILIES.items()})


if __name__ == "__main__":
    main(*sys.argv[1:])
