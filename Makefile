# A thin front to the CMake presets, so that one word builds, tests or installs Lightcone.
PREFIX  ?= /usr/local
JOBS    ?= $(shell nproc)
SECONDS  = 60
SEED      = 1
MUTATIONS = 100000
KILLS     = 1000
# Without address randomisation where the system lets us: the thread sanitizer needs it that way.
FIXED_ADDRESSES := $(shell setarch -R true 2>/dev/null && echo setarch -R)

.PHONY: build demo python grpc otf2 monitor check-monitor check-monitor-clients check-producers soak-monitor bench-monitor all examples test test-release test-sanitized check-asan-ubsan check-tsan check-headers bench bench-grpc bench-viewer fuzz \
        check-faults check-python check-grpc check-mpi check-mpi-applications soak install package check-package format clean help
# Steps that build in one tree wait for each other.
.NOTPARALLEL:

build:  ## build the program and the adapters: build/lightcone
	@tools/install-packages build
	cmake --preset release -DLIGHTCONE_TESTS=OFF -DLIGHTCONE_ZEROMQ=ON -DLIGHTCONE_MPI=ON -DLIGHTCONE_VIEWER=ON
	cmake --build --preset release -j $(JOBS)

otf2:  ## build the program and what reads OTF2 archives
	@tools/install-packages build otf2
	cmake --preset release -DLIGHTCONE_TESTS=OFF -DLIGHTCONE_OTF2=ON
	cmake --build --preset release -j $(JOBS) --target lightcone_program lightcone_otf2

demo:  ## build the program alone and show the tour
	@tools/install-packages demo
	cmake --preset release -DLIGHTCONE_TESTS=OFF -DLIGHTCONE_ZEROMQ=OFF -DLIGHTCONE_MPI=OFF -DLIGHTCONE_VIEWER=OFF
	cmake --build --preset release -j $(JOBS) --target lightcone_program
	build/lightcone demo

python:  ## build the Python module: build/python/lightcone
	@tools/install-packages demo python
	cmake --preset release -DLIGHTCONE_TESTS=OFF -DLIGHTCONE_ZEROMQ=OFF -DLIGHTCONE_MPI=OFF -DLIGHTCONE_VIEWER=OFF -DLIGHTCONE_PYTHON=ON
	cmake --build --preset release -j $(JOBS) --target lightcone_python

grpc:  ## build the adapter for gRPC
	@tools/install-packages demo grpc
	cmake --preset release -DLIGHTCONE_TESTS=OFF -DLIGHTCONE_ZEROMQ=OFF -DLIGHTCONE_MPI=OFF -DLIGHTCONE_VIEWER=OFF -DLIGHTCONE_GRPC=ON
	cmake --build --preset release -j $(JOBS) --target lightcone_grpc

monitor:  ## build the program and the monitor: build/lightcone-monitor
	@tools/install-packages demo monitor
	cmake --preset release -DLIGHTCONE_TESTS=OFF -DLIGHTCONE_ZEROMQ=OFF -DLIGHTCONE_MPI=OFF -DLIGHTCONE_VIEWER=ON -DLIGHTCONE_MONITOR=ON
	cmake --build --preset release -j $(JOBS) --target lightcone_program lightcone_monitor_program

all:  ## build everything: program, adapters, monitor, what reads OTF2 archives, the Python module
	@tools/install-packages build otf2 python grpc monitor
	cmake --preset release -DLIGHTCONE_TESTS=OFF -DLIGHTCONE_OTF2=ON -DLIGHTCONE_PYTHON=ON -DLIGHTCONE_GRPC=ON -DLIGHTCONE_MONITOR=ON
	$(MAKE) build

examples: build  ## build the example programs: build/examples/NAME
	cmake --build --preset release -j $(JOBS) --target examples

test: test-sanitized test-release  ## build and run every test, those of readers and riders under sanitizers

test-release:  ## build and run the other tests as released
	@tools/install-packages build otf2 test
	cmake --preset test -DLIGHTCONE_GRPC=OFF -DLIGHTCONE_PYTHON=OFF
	cmake --build --preset test -j $(JOBS) --target tests_as_released
	ctest --preset test -j $(JOBS) -LE library -E _NOT_BUILT

test-sanitized:  ## build and run the tests of readers and riders under sanitizers
	@tools/install-packages build test
	cmake --preset asan-ubsan
	cmake --build --preset asan-ubsan -j $(JOBS) --target library_tests reader_fuzzers
	$(FIXED_ADDRESSES) ctest --preset asan-ubsan -j $(JOBS) -L library

check-headers:  ## compile each header alone
	@tools/install-packages build test
	cmake -S . -B build/headers -G Ninja -DCMAKE_BUILD_TYPE=Debug
	cmake --build build/headers -j $(JOBS) --target headers_stand_alone

check-asan-ubsan check-tsan: check-%:  ## build and run every test under these sanitizers
	@tools/install-packages build test
	cmake --preset $*
	cmake --build --preset $* -j $(JOBS)
	$(FIXED_ADDRESSES) ctest --preset $* -j $(JOBS)

bench:  ## build and run the benchmarks
	@tools/install-packages build bench
	cmake --preset bench
	cmake --build --preset bench -j $(JOBS)
	build/bench/bench/lightcone_bench $(BENCH_FLAGS)

bench-grpc:  ## measure what tags cost calls of gRPC
	@tools/install-packages build bench grpc
	cmake --preset bench -DLIGHTCONE_GRPC=ON
	cmake --build --preset bench -j $(JOBS) --target grpc_bench
	build/bench/bench/grpc_bench $(BENCH_FLAGS)

bench-monitor: monitor  ## measure the monitor: throughput, lag, the time to a verdict, spans, two monitors; ONLY=spans
	cmake --build --preset release -j $(JOBS) --target monitor_load span_load backlog_load
	bench/monitor/bench_monitor build $(ONLY)

bench-viewer: build  ## measure the page in Chromium, with up to 10 million events; ONLY=zooming
	@tools/install-packages test
	LIGHTCONE_PROGRAM=$(CURDIR)/build/lightcone node viewer/tests/bench/bench_viewer.mjs --table build/bench_viewer.md $(if $(ONLY),--only $(ONLY)) $(EVENTS)

fuzz:  ## fuzz every reader: SECONDS=60 of processor time for each
	@tools/install-packages build fuzz
	cmake --preset fuzz
	cmake --build --preset fuzz -j $(JOBS) --target fuzzers
	tests/fuzz/run_fuzzers build/fuzz $(SECONDS) $(JOBS)

check-faults:  ## kill 1,000 programs, fill disks, fail calls, mutate 100,000 files: SEED=1
	@tools/install-packages build test
	cmake --preset test
	cmake --build --preset test -j $(JOBS) --target mutations fault_tests
	tests/faults/check_faults build/test $(SEED) $(MUTATIONS) $(KILLS)

check-mpi:  ## replay the programs for each call of MPI 20 times, one by one
	@tools/install-packages build test
	cmake --preset test
	cmake --build --preset test -j $(JOBS) --target mpi_tests program_tests
	LIGHTCONE_REPLAYS=20 build/test/tests/mpi/mpi_tests --gtest_filter='-*Applications*'
	build/test/tests/program_tests --gtest_filter='*OnRanks*'

check-mpi-applications:  ## record and replay applications of MPI, and compare with their plain runs
	@tools/install-packages build test mpi-applications
	cmake --preset test
	cmake --build --preset test -j $(JOBS) --target mpi_tests
	build/test/tests/mpi/mpi_tests --gtest_filter='*Applications*'

check-python:  ## test the Python module, run its tutorial, and load 10 million events
	@tools/install-packages build test python
	cmake --preset test -DLIGHTCONE_PYTHON=ON
	cmake --build --preset test -j $(JOBS) --target lightcone_python lightcone_program lightcone_shared
	ctest --preset test -L python

check-grpc:  ## test the adapter for gRPC with servers on loopback
	@tools/install-packages build test grpc
	cmake --preset test -DLIGHTCONE_GRPC=ON
	cmake --build --preset test -j $(JOBS) --target grpc_tests
	ctest --preset test -L grpc

check-monitor:  ## test the monitor
	@tools/install-packages build test monitor
	cmake --preset test -DLIGHTCONE_MONITOR=ON -DLIGHTCONE_GRPC=ON
	cmake --build --preset test -j $(JOBS) --target monitor_tests
	ctest --preset test -L monitor

check-monitor-clients: monitor  ## send spans by the OpenTelemetry SDK for Node, and share a stream with the NATS client of npm
	@command -v npm >/dev/null || tools/install-packages build
	tests/monitor/clients/check_clients build/lightcone-monitor

check-producers: build  ## read spans of the OpenTelemetry SDK for Node, and open our Chrome traces with Perfetto's parser
	tests/producers/check_producers build/lightcone

soak-monitor:  ## kill monitors and those who report to them 50 times under load, and pass EVENTS=100000000 events through one
	@tools/install-packages build test monitor
	cmake --preset test -DLIGHTCONE_MONITOR=ON
	cmake --build --preset test -j $(JOBS) --target monitor_tests monitor_load lightcone_monitor_program
	LIGHTCONE_MONITOR_KILLS=50 build/test/tests/monitor_tests --gtest_filter='KilledMonitor.*:KilledProcesses.*:SharedMonitors.Decide*'
	build/test/bench/monitor/monitor_load build/test/lightcone-monitor --events $(or $(EVENTS),100000000) --most-memory 500

soak:  ## send a million messages over ZeroMQ, twice, and kill 200 recordings
	@tools/install-packages build test
	cmake --preset test
	cmake --build --preset test -j $(JOBS) --target soak

install: build  ## install to PREFIX (/usr/local), below DESTDIR
	DESTDIR=$(DESTDIR) cmake --install build --prefix $(PREFIX)

package:  ## build Debian packages: build/package/packages/*.deb
	@tools/install-packages build otf2 python grpc monitor package
	cmake --preset package
	cmake --build --preset package -j $(JOBS)
	cd build/package && cpack

check-package: package  ## install the packages in a fresh Debian 12 and use them; as root, with the network
	@tools/install-packages fresh-root
	tests/packages/check_packages build/package/packages

format:  ## lay out the sources as .clang-format says
	@tools/install-packages format
	git ls-files '*.cc' '*.h' | xargs clang-format -i

clean:  ## remove everything that was built
	rm -rf build

help:  ## this list
	@awk -F " *## " '/^[a-z].*:.*##/ { sub(/:.*/, "", $$1); printf "make %-29s %s\n", $$1, $$2 }' Makefile
	@echo "JOBS=N limits how many jobs run at a time; BENCH_FLAGS goes to the benchmarks."
