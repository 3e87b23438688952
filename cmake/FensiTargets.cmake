# One function each for a module of the program and for a test, so that every target gets the same rules.

set(FENSI_SANITIZER "" CACHE STRING "Value of -fsanitize for all our code (empty: none)")

# The rules of our own code; generated code links fensi_settings only.
add_library(fensi_settings INTERFACE)
target_include_directories(fensi_settings INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
target_compile_options(fensi_settings INTERFACE -pthread)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The compiler collects its garbage at 256 MiB instead of 128: a twentieth less time.
  target_compile_options(fensi_settings INTERFACE --param=ggc-min-heapsize=262144)
endif()
if(FENSI_QUICK)
  # The quickstart takes a third less time than with -O1 and warnings.
  target_compile_options(fensi_settings INTERFACE $<$<CONFIG:Release>:-Og> -w)
endif()
if(FENSI_SANITIZER)
  target_compile_options(fensi_settings INTERFACE
    -fsanitize=${FENSI_SANITIZER} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(fensi_settings INTERFACE -fsanitize=${FENSI_SANITIZER})
  target_compile_definitions(fensi_settings INTERFACE FENSI_SANITIZED=1)
  if(FENSI_SANITIZER STREQUAL "thread")
    target_compile_definitions(fensi_settings INTERFACE FENSI_SANITIZED_THREADS=1)
  endif()
  if(FENSI_SANITIZER MATCHES undefined)
    # They cost clang up to 40 % more time. The address sanitizer sees the first, and what is fuzzed is built with both.
    target_compile_options(fensi_settings INTERFACE -fno-sanitize=null,alignment)
  endif()
endif()
if(NOT FENSI_SANITIZER)
  hardening(fensi_settings)
endif()
find_program(LLD ld.lld)
if(LLD)
  target_link_options(fensi_settings INTERFACE -fuse-ld=lld)
endif()

add_library(fensi_warnings INTERFACE)
# -Wrestrict and -Wmissing-field-initializers report false positives in GCC 12's own string and with designated initializers.
# Only sanitized builds use clang. GCC's warnings are the rule; clang adds the analysis of locks, which GCC does not have.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(fensi_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror
    -Wno-missing-field-initializers -Wno-restrict)
else()
  target_compile_options(fensi_warnings INTERFACE -Werror=thread-safety)
endif()

# Of a target with precompiled headers. For ccache; and GCC 12 reports false positives in its own strings that come from
# there: the address sanitizer looks for the same.
add_library(fensi_precompiled INTERFACE)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(fensi_precompiled INTERFACE -fpch-preprocess -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
else()
  target_compile_options(fensi_precompiled INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
endif()

# What fuzz targets reach: libFuzzer follows which branches an input takes, and all undefined behaviour is looked for. These
# are the parts of -fsanitize=fuzzer-no-link, which by that name would not take the precompiled headers.
set(fuzzer_coverage -fsanitize-coverage=inline-8bit-counters,indirect-calls,trace-cmp,pc-table,stack-depth)
set(fuzzed_code_options -fsanitize=undefined ${fuzzer_coverage})
add_library(fensi_fuzzed INTERFACE)  # behind all that takes some of it away
target_compile_options(fensi_fuzzed INTERFACE ${fuzzed_code_options})

# The tests' own sources are compiled more often than they run long: less is optimised, what they test is not slower, and
# undefined behaviour is looked for in what they test.
add_library(fensi_test_rules INTERFACE)
target_link_libraries(fensi_test_rules INTERFACE fensi_warnings)
if(NOT FENSI_QUICK)
  target_compile_options(fensi_test_rules INTERFACE $<IF:$<CONFIG:Release>,-O1,-O0>)
endif()
if(FENSI_SANITIZER MATCHES undefined)
  target_compile_options(fensi_test_rules INTERFACE -fno-sanitize=undefined)
endif()

# What nearly every test includes takes a third of the time in which it is compiled, so it is compiled once for all of them.
# A compiler takes it only with the same options and definitions.
if(FENSI_TESTS)
  target_compile_definitions(fensi_test_rules INTERFACE GFLAGS_IS_A_DLL=0)
  target_link_libraries(fensi_test_rules INTERFACE fensi_precompiled)
  add_executable(test_headers EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/support/test_headers.cc)
  target_link_libraries(test_headers PRIVATE fensi_settings fensi_test_rules GTest::gmock)
  target_precompile_headers(test_headers PRIVATE ${CMAKE_SOURCE_DIR}/tests/support/test_headers.h)
endif()

# fensi_units(TARGET ["folder..."...]): in unity builds (all but the preset debug) the sources that a target takes from one
# folder are one translation unit, or those of several folders that are named together (. is the target's own). Small units
# include the same headers again and again. tests/rules/file_local_names.py sees to it that they can be one.
# FENSI_APART: paths of sources that stay translation units of their own, for tests/mutation/run.py, which changes them.
function(fensi_units name)
  get_target_property(sources ${name} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  foreach(source ${sources})
    get_filename_component(folder ${source} DIRECTORY)
    foreach(folders ${ARGN})
      string(REPLACE " " ";" together "${folders}")
      if("${folder}" IN_LIST together OR (NOT folder AND "." IN_LIST together))
        list(GET together 0 folder)
        break()
      endif()
    endforeach()
    string(MAKE_C_IDENTIFIER "in_${folder}" unit)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${unit})
    if("${CMAKE_CURRENT_SOURCE_DIR}/${source}" IN_LIST FENSI_APART)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  set_target_properties(${name} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()

# What most units include takes a quarter of the time of their front end, so it is compiled once for all of them. Only in
# unity builds: a developer's build shows which source lacks an include.
if(CMAKE_UNITY_BUILD)
  add_library(product_headers OBJECT ${CMAKE_SOURCE_DIR}/base/product_headers.cc)
  target_link_libraries(product_headers PRIVATE fensi_settings fensi_warnings fensi_precompiled)
  target_precompile_headers(product_headers PRIVATE ${CMAKE_SOURCE_DIR}/base/product_headers.h)
endif()

# fensi_fuzzed_units(TARGET regex): those of the sources that fuzz targets reach are a unit for each folder, and compiled for
# libFuzzer.
function(fensi_fuzzed_units name reached)
  get_target_property(sources ${name} SOURCES)
  list(FILTER sources INCLUDE REGEX "${reached}")
  foreach(source ${sources})
    get_filename_component(folder ${source} DIRECTORY)
    string(MAKE_C_IDENTIFIER "fuzzed_in_${folder}" unit)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${unit})
    if(CMAKE_UNITY_BUILD)
      set(source ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.dir/Unity/unity_${unit}_cxx.cxx)
    endif()
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${fuzzed_code_options}")
  endforeach()
endfunction()

# fensi_library(NAME SOURCES file... [UNITS "folder..."...] [LINK public-target...] [PRIVATE_LINK target...] [FUZZED regex] [COLD])
# FUZZED: those of the sources that fuzz targets reach; `.`: all.
# COLD: no event passes through it, so it is optimised less, in less time (and GCC 12 then warns of std::optional without reason).
set(cold_code_options "$<$<AND:$<CONFIG:Release>,$<NOT:$<BOOL:${FENSI_QUICK}>>>:-O1;-Wno-maybe-uninitialized>")
function(fensi_library name)
  cmake_parse_arguments(arg "COLD" "FUZZED" "SOURCES;UNITS;LINK;PRIVATE_LINK" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  fensi_units(${name} ${arg_UNITS})
  target_link_libraries(${name} PUBLIC fensi_settings ${arg_LINK} PRIVATE fensi_warnings ${arg_PRIVATE_LINK})
  if(arg_COLD)
    target_compile_options(${name} PRIVATE "${cold_code_options}")
  endif()
  if(FENSI_FUZZ AND arg_FUZZED STREQUAL ".")
    target_link_libraries(${name} PRIVATE fensi_fuzzed)
  elseif(FENSI_FUZZ AND arg_FUZZED)
    fensi_fuzzed_units(${name} "${arg_FUZZED}")
  endif()
  if(TARGET product_headers)
    target_link_libraries(${name} PRIVATE fensi_precompiled)
    target_precompile_headers(${name} REUSE_FROM product_headers)
  endif()
endfunction()

# Of an argument that was not given.
macro(fensi_default variable value)
  if(NOT ${variable})
    set(${variable} ${value})
  endif()
endmacro()

# More than a minute each without servers. Begun last, they would end alone.
set(long_lasting_tests cli_code_cpp_test cli_code_java_test cli_code_test cli_deaths_test evidence_page_test
  oracle_language_test packages_test repair_property_test setup_test)

# fensi_test_properties(NAME labels timeout environment): two minutes unless another timeout is said. Tests with the label
# `servers` get the development stack brought up before the first and taken down after the last of them (tests/e2e), one of
# them at a time; but fensi_beside_others(NAME). They begin first, because so few of them run side by side.
function(fensi_test_properties name labels timeout environment)
  if(NOT timeout)
    set(timeout 120)
  endif()
  if(FENSI_SANITIZER)  # which slows them, and they give way to all others on the machine
    math(EXPR timeout "6 * ${timeout}")
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT ${timeout} ENVIRONMENT "${environment}")
  if("servers" IN_LIST labels)
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED stack RESOURCE_LOCK stack COST 400)
  elseif(name IN_LIST long_lasting_tests)
    set_tests_properties(${name} PROPERTIES COST 300)
  endif()
endfunction()

# A test on servers that keeps to tables and topics of its own, so that another may run beside it: one of these at a time,
# and none while a test that stops servers holds both locks.
function(fensi_beside_others name)
  set_tests_properties(${name} PROPERTIES RESOURCE_LOCK steady_servers)
endfunction()

# Unit tests of a folder are also tried under the sanitizers that it names in FENSI_SANITIZERS (asan, and tsan where there
# are threads): label and target SANITIZER_tests of the preset SANITIZER. Property tests, and those of a folder that names
# asan_long or tsan_long, are so in tests/run --long: they reach the code that the others reach, or would have the whole
# program compiled for them.
foreach(sanitizer asan tsan asan_long tsan_long)
  add_custom_target(${sanitizer}_tests)
endforeach()

option(FENSI_UNIT_TESTS_SANITIZED "Build no unit tests that the preset asan has" OFF)

# fensi_test(NAME SOURCES file... [LINK target...] [LABELS label...] [TIMEOUT seconds] [SIDE_BY_SIDE n])
# SIDE_BY_SIDE: its cases wait more than they compute, and run in n processes at a time; not under a sanitizer, where they
# compute so much more that the servers of other tests would have to wait.
# Labels: unit, property, servers (needs the development stack), long.
function(fensi_test name)
  cmake_parse_arguments(arg "" "TIMEOUT;SIDE_BY_SIDE" "SOURCES;LINK;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  fensi_units(${name})
  target_link_libraries(${name} PRIVATE fensi_settings fensi_test_rules ${arg_LINK} GTest::gmock GTest::gtest_main)
  if(TARGET test_headers)
    target_precompile_headers(${name} REUSE_FROM test_headers)
  endif()
  if(FENSI_SANITIZER STREQUAL "thread")
    # Shared libraries have to find these functions in the program.
    target_link_libraries(${name} PRIVATE c11_threads)
    set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)
  endif()
  if(arg_SIDE_BY_SIDE AND NOT FENSI_SANITIZER)
    add_test(NAME ${name} COMMAND ${CMAKE_SOURCE_DIR}/tests/side_by_side ${arg_SIDE_BY_SIDE} $<TARGET_FILE:${name}>)
  else()
    add_test(NAME ${name} COMMAND ${name})
  endif()
  fensi_default(arg_LABELS unit)
  if("unit" IN_LIST arg_LABELS OR "property" IN_LIST arg_LABELS)
    foreach(sanitizer ${FENSI_SANITIZERS})
      if("property" IN_LIST arg_LABELS AND NOT sanitizer MATCHES _long)
        string(APPEND sanitizer _long)
      endif()
      add_dependencies(${sanitizer}_tests ${name})
      list(APPEND arg_LABELS ${sanitizer}_tests)
      if(FENSI_UNIT_TESTS_SANITIZED AND sanitizer STREQUAL "asan" AND NOT FENSI_SANITIZER)
        set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
      endif()
    endforeach()
  endif()
  fensi_test_properties(${name} "${arg_LABELS}" "${arg_TIMEOUT}"
    "TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/cmake/tsan-suppressions.txt")
endfunction()

# fensi_script_test(NAME COMMAND word... [LABELS label...] [TIMEOUT seconds]): a test that is a script, `script` by default.
# It finds the program through FENSI_BIN and the tree through FENSI_ROOT.
function(fensi_script_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "COMMAND;LABELS" ${ARGN})
  add_test(NAME ${name} COMMAND ${arg_COMMAND} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  fensi_default(arg_LABELS script)
  fensi_test_properties(${name} "${arg_LABELS}" "${arg_TIMEOUT}"
    "FENSI_BIN=${CMAKE_BINARY_DIR}/bin/fensi;FENSI_ROOT=${CMAKE_SOURCE_DIR};PYTHONDONTWRITEBYTECODE=1")
endfunction()

# fensi_fuzz_test(NAME SOURCES file... [LINK target...] [SECONDS n] CORPUS path...): a fuzz target, a file that defines
# LLVMFuzzerTestOneInput. CORPUS: files and folders of inputs to begin with, relative to tests/fuzz.
# In the preset `asan` it is built with libFuzzer and fuzzes for SECONDS (default 20; FENSI_FUZZ_SECONDS replaces them),
# label fuzz. In every other preset it replays its corpus as a unit test, so that it cannot rot.
function(fensi_fuzz_test name)
  cmake_parse_arguments(arg "" "SECONDS" "SOURCES;LINK;CORPUS" ${ARGN})
  list(TRANSFORM arg_CORPUS PREPEND ${CMAKE_SOURCE_DIR}/tests/fuzz/)
  fensi_default(arg_SECONDS 20)
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE fensi_settings fensi_test_rules ${arg_LINK})
  if(FENSI_FUZZ)
    target_link_libraries(${name} PRIVATE fensi_fuzzed)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzz_targets ${name})
    add_test(NAME ${name}
      COMMAND ${CMAKE_SOURCE_DIR}/tests/fuzz/run $<TARGET_FILE:${name}> ${arg_SECONDS} ${arg_CORPUS})
    set_tests_properties(${name} PROPERTIES LABELS fuzz TIMEOUT 3600)
  else()
    target_sources(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/fuzz/replay_main.cc)
    add_test(NAME ${name} COMMAND ${name} ${arg_CORPUS})
    set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT 120)
  endif()
endfunction()
