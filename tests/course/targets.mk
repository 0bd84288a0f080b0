# A course from a rung: included by the Makefile above; README.md beside this.

COURSE = $(QUIETLY)$(PYTHON) tests/course
# make -s: no word of how far it is, but on a terminal.
QUIETLY = $(if $(findstring s,$(firstword -$(MAKEFLAGS))),QUIET=1 )
COURSE_NEEDS = cc pkg-config $(call packages,PACKAGES,$(RUNGS)) \
    $(call packages,TEST_PACKAGES,$(RUNGS)) ctags git python3

.PHONY: course course-mutants course-plans course-test \
    grade

## course          a rung for a student to write: its new functions are empty
##   RUNG=m2           which rung
##   DIR=folder        where to, a new folder
##   ONLY='ops.c dot'  only these files or functions
##   LAB=attention     instead of both: a week's work, of tests/course/labs.txt
##   PLAIN=1           the reading model's family first, then the others
##   MODELS=no         without the models and goldens (30 MB)
course:
	@$(SETUP) $(COURSE_NEEDS)
	@$(COURSE)/course.py '$(or $(DIR),$(error say where to: \
	    make course RUNG=$(RUNG) DIR=folder))' --rung $(RUNG) \
	    --only '$(ONLY)' $(if $(LAB),--lab $(LAB)) \
	    $(if $(PLAIN),--plain) $(if $(filter no,$(MODELS)),--no-models)

## course-plans    find out again which test calls what, where a rung has
##                 changed: tests/course/plans, so that make course is quick
##   RUNG=m0           of this rung alone
course-plans:
	@$(SETUP) $(COURSE_NEEDS)
	@$(COURSE)/plan.py $(if $(RUNG_IS_GIVEN),$(RUNG))

## grade           this tree's tests against what students wrote
##   SUBMISSION='a b'  their folders, or folder/*
##   RUNG= ONLY= LAB=  as for course; else as each folder says itself
##   PLAIN=1           then: only the first stage counts
##   FORMAT=csv        or json, or table
grade:
	@$(SETUP) $(COURSE_NEEDS)
	@$(COURSE)/grade.py $(or $(SUBMISSION),$(error say what: make grade \
	    SUBMISSION=folder)) --only '$(ONLY)' \
	    $(if $(RUNG_IS_GIVEN),--rung $(RUNG)) $(if $(LAB),--lab $(LAB)) \
	    $(if $(PLAIN),--plain) $(if $(FORMAT),--format $(FORMAT))

## course-test     empty each function of each rung alone, or of RUNG=m0: what
##                 does a course say then?  A quarter of an hour; then, whether
##                 tests see small mistakes: course-mutants, of all rungs
course-test:
	@$(SETUP) $(COURSE_NEEDS)
	@$(COURSE)/trial.py $(if $(RUNG_IS_GIVEN),$(RUNG))
	@$(COURSE)/mutate.py $(if $(RUNG_IS_GIVEN),$(RUNG))

## course-mutants  which small mistakes do a function's own tests not see?
##   RUNG=m2           in which rung
##   ONLY='ops.c dot'  only these files or functions
##   KEEP=1            what was found, in tests/course/survivors
##   SAN=1             instead: those of which it is said there that the
##                     sanitizers see them: do they?
course-mutants:
	@$(SETUP) $(COURSE_NEEDS)
	@$(COURSE)/$(if $(SAN),sanitized.py $(RUNG),mutate.py $(RUNG) --report \
	    $(if $(KEEP),--keep)) --only '$(ONLY)'
