/* The families' marks: see markups.h.  They are those of the models' own chat
 * templates and of their makers' descriptions. */
#include "markups.h"

/* Hermes 2 Pro and after it Qwen 2.5 and 3, Granite 4, SmolLM3 and others. */
static const char *const tool_call_end[] = {"</tool_call>", NULL};
static const struct opening hermes[] = {
    {"<tool_call>", read_json, NULL, tool_call_end, NULL, false}, {0}};

/* Qwen3-Coder; models leave the outer tags out. */
static const char *const qwen_value_ends[] = {
    "\n</parameter>", "</parameter>", "\n<parameter=", "\n</function>", NULL};
static const struct element_form qwen_elements = {
    "<function=",    ">", "<parameter=", ">", NULL, true,
    qwen_value_ends, 2,   "</function>"};
static const struct opening qwen3_coder[] = {
    {"<tool_call>", read_elements, NULL, tool_call_end, &qwen_elements, false},
    {"<function=", read_elements, NULL, tool_call_end, &qwen_elements, false},
    {0}};

static const char *const seed_end[] = {"</seed:tool_call>", NULL};
static const struct opening seed[] = {
    {"<seed:tool_call>", read_elements, NULL, seed_end, &qwen_elements, false},
    {0}};

static const char *const minimax_value_ends[] = {
    "</parameter>", "\n<parameter name=", "\n</invoke>", NULL};
static const struct element_form minimax_elements = {
    "<invoke name=\"",  "\">", "<parameter name=\"", "\">", NULL, false,
    minimax_value_ends, 1,     "</invoke>"};
static const char *const minimax_end[] = {"</minimax:tool_call>", NULL};
static const struct opening minimax[] = {
    {"<minimax:tool_call>", read_elements, NULL, minimax_end,
     &minimax_elements, false},
    {"<invoke name=\"", read_elements, NULL, minimax_end, &minimax_elements,
     false},
    {0}};

static const char *const glm_value_ends[] = {"</arg_value>", "\n<arg_key>",
                                             "\n</tool_call>", NULL};
static const struct element_form glm_elements = {
    NULL,  NULL,           "<arg_key>", "</arg_key>",  "<arg_value>",
    false, glm_value_ends, 1,           "</tool_call>"};
static const struct opening glm[] = {
    {"<tool_call>", read_elements, NULL, tool_call_end, &glm_elements, false},
    {0}};

/* Llama 3.1 to 3.3; the mark is for its built-in tools, and often missing. */
static const char *const none[] = {NULL};
static const char *const function_end[] = {"</function>", NULL};
static const char *const function_separators[] = {">", NULL};
static const struct opening llama3_json[] = {
    {"<|python_tag|>", read_python_tag, NULL, none, NULL, false},
    {"<function=", read_named, function_separators, function_end, NULL, false},
    {"{", read_bare_json, NULL, none, NULL, true},
    {0}};

/* Llama 4 writes code between its marks, or what is said before a call. */
static const char *const python_ends[] = {"<|python_end|>", NULL};
static const struct opening llama4_json[] = {
    {"<|python_start|><|python_end|>", read_python_tag, NULL, none, NULL,
     false},
    {"<|python_start|>", read_python_tag, NULL, python_ends, NULL, false},
    {"{", read_bare_json, NULL, none, NULL, true},
    {0}};

static const struct opening pythonic[] = {
    {"<|python_start|>", read_python, NULL, python_ends, NULL, false},
    {"<|python_tag|>", read_python, NULL, none, NULL, false},
    {"[", read_bare_python, NULL, none, NULL, true},
    {"{", read_bare_json, NULL, none, NULL, true},
    {0}};

/* xLAM is asked for a list alone; its models put it between others' marks. */
static const char *const fence[] = {"```", NULL};
static const struct opening xlam[] = {
    {"<tool_call>", read_json, NULL, tool_call_end, NULL, false},
    {"[TOOL_CALLS]", read_json, NULL, none, NULL, false},
    {"```json", read_json, NULL, fence, NULL, true},
    {"[", read_bare_list, NULL, none, NULL, true},
    {"{", read_bare_json, NULL, none, NULL, true},
    {0}};

/* GLM-4 of 2024 and 2025: the message's header, which is a line, has the name.
 * The first stands in the prompt but for its line. */
static const char *const assistant[] = {"<|assistant|>", NULL};
static const struct opening glm4[] = {
    {"<|assistant|>", read_named_line, NULL, assistant, NULL, false}, {0}};

static const char *const action_ends[] = {"<|action_end|>", NULL};
static const struct opening internlm2[] = {
    {"<|action_start|><|plugin|>", read_json, NULL, action_ends, NULL, false},
    {0}};

static const char *const lfm2_end[] = {"<|tool_call_end|>", NULL};
static const struct opening lfm2[] = {
    {"<|tool_call_start|>", read_python, NULL, lfm2_end, NULL, false}, {0}};

static const char *const olmo_end[] = {"</function_calls>", NULL};
static const struct opening olmo3[] = {
    {"<function_calls>", read_python, NULL, olmo_end, NULL, false}, {0}};

/* Gemma 3 has no marks of its own: these are of Google's examples. */
static const struct opening gemma3[] = {
    {"```tool_code", read_python, NULL, fence, NULL, false},
    {"```tool_call", read_json, NULL, fence, NULL, false},
    {"```json", read_json, NULL, fence, NULL, true},
    {"{", read_bare_json, NULL, none, NULL, true},
    {"[", read_bare_python, NULL, none, NULL, true},
    {0}};

static const char *const gemma4_end[] = {"<tool_call|>", NULL};
static const struct opening gemma4[] = {
    {"<|tool_call>", read_gemma, NULL, gemma4_end, NULL, false}, {0}};

static const char *const function_call_end[] = {"<end_function_call>", NULL};
static const struct opening functiongemma[] = {
    {"<start_function_call>", read_gemma, NULL, function_call_end, NULL,
     false},
    {0}};

static const char *const mistral_separators[] = {"[ARGS]", "[CALL_ID]", NULL};
static const struct opening mistral[] = {
    {"[TOOL_CALLS]", read_mistral, mistral_separators, none, NULL, false},
    {0}};

/* Granite 3; and 4, whose marks are Hermes's. */
static const struct opening granite[] = {
    {"<|tool_call|>", read_json, NULL, none, NULL, false},
    {"<tool_call>", read_json, NULL, tool_call_end, NULL, false},
    {0}};

/* The older Granite, of 20B, for function calling.  Its prompt asks for a call
 * of no_function where none fits. */
static const struct opening granite_20b_fc[] = {
    {"<function_call>", read_json, NULL, none, NULL, false}, {0}};

/* Its prompt for several calls asks for a word, and examples for marks in the
 * plural. */
static const char *const phi_ends[] = {"<|/tool_call|>", "<|/tool_calls|>",
                                       NULL};
static const struct opening phi4_mini[] = {
    {"<|tool_call|>", read_json, NULL, phi_ends, NULL, false},
    {"<|tool_calls|>", read_json, NULL, phi_ends, NULL, false},
    {"functools", read_json, NULL, phi_ends, NULL, false},
    {0}};

static const char *const deepseek_separators[] = {
    "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>", "```json", NULL};
static const char *const deepseek_ends[] = {"```", "<｜tool▁call▁end｜>",
                                            "<｜tool▁calls▁end｜>", NULL};
static const struct opening deepseek[] = {
    {"<｜tool▁calls▁begin｜>", read_named, deepseek_separators, deepseek_ends,
     NULL, false},
    {"<｜tool▁call▁begin｜>", read_named, deepseek_separators, deepseek_ends,
     NULL, false},
    {0}};

static const char *const kimi_separators[] = {
    "<|tool_call_begin|>", "<|tool_call_argument_begin|>", NULL};
static const char *const kimi_ends[] = {"<|tool_call_end|>",
                                        "<|tool_calls_section_end|>", NULL};
static const struct opening kimi_k2[] = {
    {"<|tool_calls_section_begin|>", read_named, kimi_separators, kimi_ends,
     NULL, false},
    {"<|tool_call_begin|>", read_named, kimi_separators, kimi_ends, NULL,
     false},
    {0}};

static const char *const action_end[] = {"<|END_ACTION|>", NULL};
static const struct opening command_r7b[] = {
    {"<|START_ACTION|>", read_json, NULL, action_end, NULL, false}, {0}};

static const char *const toolcall_end[] = {"</TOOLCALL>", NULL};
static const struct opening nemotron[] = {
    {"<TOOLCALL>", read_json, NULL, toolcall_end, NULL, false}, {0}};

static const char *const tool_calls_end[] = {"</tool_calls>", NULL};
static const struct opening tool_calls[] = {
    {"<tool_calls>", read_json, NULL, tool_calls_end, NULL, false}, {0}};

/* Its messages are read by start_harmony; this is what they are forbidden by
 * where no function may be called. */
static const struct opening harmony[] = {
    {" to=functions.", NULL, NULL, none, NULL, false}, {0}};

const struct markup markups[] = {
    {"harmony", harmony, start_harmony, "<|channel|>commentary to=functions.",
     " <|constrain|>json<|message|>{", false},
    {"gemma4", gemma4, NULL, "<|tool_call>call:", "{", false},
    {"functiongemma", functiongemma, NULL, "<start_function_call>call:", "{",
     false},
    {"kimi-k2", kimi_k2, NULL,
     "<|tool_calls_section_begin|><|tool_call_begin|>functions.",
     ":0<|tool_call_argument_begin|>{", false},
    {"deepseek-v3", deepseek, NULL,
     "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>",
     "\n```json\n{", false},
    {"deepseek-v3.1", deepseek, NULL,
     "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>", "<｜tool▁sep｜>{", false},
    {"seed", seed, NULL, "<seed:tool_call>\n<function=", ">\n", false},
    {"minimax-m2", minimax, NULL, "<minimax:tool_call>\n<invoke name=\"",
     "\">\n", false},
    {"glm-4.5", glm, NULL, "<tool_call>", "\n", false},
    {"qwen3-coder", qwen3_coder, NULL, "<tool_call>\n<function=", ">\n",
     false},
    {"mistral-v11", mistral, NULL, "[TOOL_CALLS]", "[ARGS]{", true},
    {"mistral", mistral, NULL, "[TOOL_CALLS][{\"name\": \"",
     "\", \"arguments\": {", true},
    {"phi4-mini", phi4_mini, NULL, "<|tool_call|>[{\"name\": \"",
     "\", \"arguments\": {", false},
    {"granite", granite, NULL, "<|tool_call|>[{\"name\": \"",
     "\", \"arguments\": {", false},
    {"granite-20b-fc", granite_20b_fc, NULL, "<function_call> {\"name\": \"",
     "\", \"arguments\": {", false},
    {"lfm2", lfm2, NULL, "<|tool_call_start|>[", "(", false},
    {"command-r7b", command_r7b, NULL,
     "<|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": \"",
     "\", \"parameters\": {", false},
    {"nemotron", nemotron, NULL, "<TOOLCALL>[{\"name\": \"",
     "\", \"arguments\": {", false},
    {"tool_calls", tool_calls, NULL, "<tool_calls>[\n    {\"name\": \"",
     "\", \"arguments\": {", false},
    {"internlm2", internlm2, NULL, "<|action_start|><|plugin|>\n{\"name\": \"",
     "\", \"parameters\": {", false},
    {"glm-4", glm4, start_named_line, "", "\n{", false},
    {"xlam", xlam, NULL, "[{\"name\": \"", "\", \"arguments\": {", false},
    {"olmo3", olmo3, NULL, "<function_calls>", "(", false},
    {"pythonic", pythonic, NULL, "[", "(", false},
    {"hermes", hermes, NULL, "<tool_call>\n{\"name\": \"",
     "\", \"arguments\": {", false},
    {"llama4-json", llama4_json, NULL, "{\"name\": \"",
     "\", \"parameters\": {", false},
    {"llama3-json", llama3_json, NULL, "{\"name\": \"",
     "\", \"parameters\": {", false},
    {"gemma3", gemma3, NULL, "```tool_code\n", "(", false},
    {0}};

const struct needle markup_needles[] = {
    {"harmony", {"<|channel|>", "<|message|>", NULL}},
    {"gemma4", {"<|tool_call>", NULL}},
    {"functiongemma", {"<start_function_call>", NULL}},
    {"kimi-k2", {"<|tool_call_argument_begin|>", NULL}},
    {"deepseek-v3", {"<｜tool▁call▁begin｜>", "```json", NULL}},
    {"deepseek-v3.1", {"<｜tool▁call▁begin｜>", NULL}},
    {"seed", {"<seed:tool_call>", NULL}},
    {"minimax-m2", {"<minimax:tool_call>", NULL}},
    {"glm-4.5", {"<tool_call>", "<arg_key>", NULL}},
    {"qwen3-coder", {"<tool_call>", "<function=", NULL}},
    {"mistral-v11", {"[TOOL_CALLS]", "[ARGS]", NULL}},
    {"mistral", {"[TOOL_CALLS]", NULL}},
    {"phi4-mini", {"<|/tool|>", NULL}},
    {"phi4-mini", {"<|/tool_call|>", NULL}},
    {"phi4-mini", {"functools", NULL}},
    {"granite", {"<|tool_call|>", NULL}},
    {"granite-20b-fc", {"<|function_call_library|>", "<function_call>", NULL}},
    {"lfm2", {"<|tool_call_start|>", NULL}},
    {"lfm2", {"<|tool_list_start|>", NULL}},
    {"lfm2", {"<|im_start|>", "List of tools: [", NULL}},
    {"command-r7b", {"<|START_ACTION|>", NULL}},
    {"nemotron", {"<TOOLCALL>", NULL}},
    {"tool_calls", {"<tool_calls>", NULL}},
    {"olmo3", {"<function_calls>", NULL}},
    {"internlm2", {"<|action_start|>", NULL}},
    {"glm-4", {"[gMASK]", "# 可用工具", NULL}},
    {"xlam", {"[{\"name\": \"tool_call_name\"", NULL}},
    {"", {"]<]minimax[>[", NULL}}, /* MiniMax-M3's, which nobody here reads */
    {"hermes", {"<tool_call>", NULL}},
    {"llama4-json", {"<|header_start|>", "\"parameters\"", NULL}},
    {"pythonic", {"<|header_start|>", NULL}},
    {"pythonic", {"[func_name1(", NULL}},
    {"llama3-json", {"<|python_tag|>", NULL}},
    {"llama3-json", {"<|start_header_id|>", "\"parameters\"", NULL}},
    {"gemma3", {"<start_of_turn>", NULL}},
    {0}};

/* The channels of gpt-oss but for the analysis; a call is in one of them. */
static const char *const harmony_answers[] = {
    "<|channel|>final<|message|>", "<|channel|>commentary<|message|>",
    "<|channel|>commentary to=functions.", NULL};

const struct thinking thinkings[] = {
    {"harmony", "<|channel|>analysis<|message|>", "<|end|>", NULL, NULL,
     "<|channel|>final<|message|>", start_harmony, "<|start|>assistant",
     "<|channel|>analysis", harmony_answers},
    {"gemma4", "<|channel>thought\n", "<channel|>", NULL, NULL,
     "<|channel>thought\n<channel|>", NULL, NULL, NULL, NULL},
    {"mistral", "[THINK]", "[/THINK]", NULL, NULL, "[THINK][/THINK]", NULL,
     NULL, NULL, NULL},
    {"seed", "<seed:think>", "</seed:think>", NULL, NULL,
     "<seed:think>\n</seed:think>\n", NULL, NULL, NULL, NULL},
    {"granite", "<think>", "</think>", "<response>", "</response>",
     "<think></think>\n", NULL, NULL, NULL, NULL},
    {"command-r7b", "<|START_THINKING|>", "<|END_THINKING|>",
     "<|START_RESPONSE|>", "<|END_RESPONSE|>",
     "<|START_THINKING|><|END_THINKING|>", NULL, NULL, NULL, NULL},
    {"apertus", "<|inner_prefix|>", "<|inner_suffix|>", NULL, NULL,
     "<|inner_prefix|><|inner_suffix|>", NULL, NULL, NULL, NULL},
    {"exaone", "<thought>", "</thought>", NULL, NULL,
     "<thought>\n\n</thought>\n\n", NULL, NULL, NULL, NULL},
    {"think", "<think>", "</think>", NULL, NULL, "<think>\n\n</think>\n\n",
     NULL, NULL, NULL, NULL},
    {0}};

const struct needle thinking_needles[] = {
    {"harmony", {"<|channel|>", "<|message|>", NULL}},
    {"gemma4", {"<|channel>", NULL}},
    {"mistral", {"[THINK]", NULL}},
    {"seed", {"<seed:think>", NULL}},
    {"granite", {"<think>", "<response></response>", NULL}},
    {"command-r7b", {"<|START_THINKING|>", NULL}},
    {"apertus", {"<|inner_prefix|>", NULL}},
    {"exaone", {"<thought>", NULL}},
    {"think", {"<think>", NULL}},
    {"think", {"</think>", NULL}},
    {0}};
