# Builds dump.c with the objects of a rung:
#     make -C RUNG -f Makefile -f ../tests/bits/dump.mk dump READER=chunked OUT=x

.PHONY: dump
HERE = ../tests/bits

dump: $(LIBRARY)
	@mkdir -p $(dir $(OUT))
	$(COMPILE) -iquote $(HERE) -o $(OUT) $(HERE)/dump.c $(HERE)/$(READER).c \
	    $(LIBRARY) $(LDFLAGS) $(LIBRARIES)
