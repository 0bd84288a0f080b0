# The book and the site: included by the Makefile above.

BOOK_NEEDS = cc pkg-config $(call packages,PACKAGES,$(RUNGS)) \
    $(call packages,TEST_PACKAGES,$(RUNGS)) ctags git python3 pandoc \
    graphviz npm
BOOK = $(PYTHON) book/tools

.PHONY: site book serve minutes transcripts measure

## site            the book as a site: build/site/index.html
##   ANSWERS=1         with the instructor's page of answers
site:
	@$(SETUP) $(BOOK_NEEDS)
	@$(BOOK)/build.py site $(if $(ANSWERS),--answers)
	@echo 'The site: build/site/index.html (make serve)'

## book            the book as build/book.epub and build/book.pdf
book:
	@$(SETUP) $(BOOK_NEEDS) weasyprint epubcheck
	@$(BOOK)/build.py book
	@echo 'The book: build/book.epub build/book.pdf'

## serve           the site on this machine, within a minute: what programs
##                 answer is taken as it was committed; prints the address
##   PORT=8000
serve:
	@$(SETUP) $(BOOK_NEEDS)
	-@$(BOOK)/build.py site --kept
	@$(BOOK)/serve.py $(PORT)

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
