# The course: included at the end of this folder's Makefile.

# What is not written uses neither its parameters nor its helpers.
WARNINGS += -Wno-unused
INCLUDES += -Icourse

NOT_WRITTEN = $(BUILD)/not_written.o
END_TEST = $(BUILD)/end_test.o

$(PROGRAM) $(TESTS) $(BENCHES): $(NOT_WRITTEN)
$(TESTS): $(END_TEST)

$(NOT_WRITTEN) $(END_TEST): $(BUILD)/%.o: course/%.c Makefile $(BUILD)/flags
	$(COMPILE) $(shell pkg-config --cflags $(TEST_PACKAGES)) -MMD -MP \
	    -c -o $@ $<

# Models and goldens that the rungs share: here, or where RUNG_TESTS says.
export RUNG_TESTS ?= $(if $(wildcard course/tests),course/tests,../tests)

PYTHON = python3

.PHONY: check

# `make check` says which functions pass; FN=dot looks at that one alone.
check: $(BUILD)/flags
	@$(PYTHON) course/check.py $(if $(FN),--only '$(FN)') \
	    $(if $(SAN),--san) || :
