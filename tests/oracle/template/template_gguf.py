"""Make tests/templates/templates.gguf: two chat templates as a GGUF file has them,
by the writer of the package `gguf` on PyPI (0.19.0), and no model.

    python tests/oracle/template/template_gguf.py
"""

import pathlib

import gguf

OUT = pathlib.Path(__file__).resolve().parents[2] / "templates" / "templates.gguf"
TEMPLATES = [
    {"name": "default", "template": "{{ bos_token }}{% for m in messages %}"
                                    "{{ m.content }}{{ eos_token }}"
                                    "{% endfor %}"},
    {"name": "tool_use", "template": "{{ tools[0].function.name }}"
                                     "{{ unk_token }}"}]


def main():
    writer = gguf.GGUFWriter(OUT, "llama")
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(["<s>", "</s>", "a", "<unk>"])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(1)
    writer.add_unk_token_id(3)
    writer.add_chat_template(TEMPLATES)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main()
