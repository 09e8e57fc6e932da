# Builds the engine the way that testing frameworks such as OpenBench ask for it:
#   make EXE=crescendo
# puts the binary, compiled for this machine, at that path.

EXE ?= crescendo

.PHONY: all bench clean

all:
	cargo rustc --release --bin crescendo -- -C target-cpu=native --emit link=$(EXE)

bench: all
	$(abspath $(EXE)) bench

clean:
	cargo clean
	rm -f $(EXE)
