# The book and the site: included by the Makefile above.

BOOK_NEEDS = cc pkg-config $(call packages,PACKAGES,$(RUNGS)) \
    $(call packages,TEST_PACKAGES,$(RUNGS)) ctags git python3 pandoc \
    graphviz npm curl
BOOK = $(PYTHON) book/tools

.PHONY: site book serve archive read minutes transcripts measure

# Where the answers to exercises and boxes are: ANSWERS=no or ANSWERS=1.
ANSWERS_ARE = $(if $(ANSWERS),$(if $(filter no,$(ANSWERS)),none,apart),folded)

## site            the book as a site: build/site/index.html
##   ANSWERS=no        without answers, which are folded
##   ANSWERS=1         with all answers on one page, for who teaches
##   SITE=https://...  where it will stand, for the pictures of links to it
site:
	@$(SETUP) $(BOOK_NEEDS)
	@$(BOOK)/build.py site --answers=$(ANSWERS_ARE) $(addprefix --site=,$(SITE))
	@echo 'The site: build/site/index.html (make serve)'

## book            the book as build/book.epub and build/book.pdf
##   ANSWERS=no        without the answers at its end
book:
	@$(SETUP) $(BOOK_NEEDS) weasyprint epubcheck
	@$(BOOK)/build.py book --answers=$(ANSWERS_ARE)
	@echo 'The book: build/book.epub build/book.pdf'

## serve           the site on this machine, within a minute: what programs
##                 answer is taken as it was committed; prints the address
##   PORT=8000
serve:
	@$(SETUP) $(BOOK_NEEDS)
	@echo 'Building the book: about a minute the first time.'
	-@$(BOOK)/build.py site --kept --answers=$(ANSWERS_ARE)
	@$(BOOK)/serve.py $(PORT)

## archive         site, EPUB and PDF in one dated file in build/
archive: site book
	@$(BOOK)/build.py archive

## read            serve an archive's site: the newest of build/
##   ARCHIVE=file      this one, or the folder where it was unpacked
##   PORT=8000
read:
	@$(SETUP) python3
	@$(BOOK)/serve.py archive '$(ARCHIVE)' $(PORT)

## minutes         how long each chapter takes to read, as its page says it
minutes:
	@$(SETUP) $(BOOK_NEEDS)
	@$(BOOK)/build.py minutes

## transcripts     run every command of the book and keep what it prints
transcripts:
	@$(SETUP) $(BOOK_NEEDS)
	@$(BOOK)/build.py transcripts

## measure         measure what the book shows: book/measured.json
##   ONLY=m2           only what begins so
measure:
	@$(SETUP) $(BOOK_NEEDS)
	@$(BOOK)/measure.py $(ONLY)
