# What an optimised build does against faults of memory that nobody has found: hardening() gives it to a target's users.
# Not beside sanitizers, which find the same and more.
include(CheckCXXCompilerFlag)
include(CheckPIESupported)

set(CMAKE_POSITION_INDEPENDENT_CODE ON)
check_pie_supported(LANGUAGES CXX)

check_cxx_compiler_flag(-fstack-clash-protection COMPILER_HAS_STACK_CLASH_PROTECTION)
check_cxx_compiler_flag(-fcf-protection COMPILER_HAS_CF_PROTECTION)  # where the processor has it

function(hardening target)
  set(optimised $<CONFIG:Release,RelWithDebInfo>)
  # Level 3 without one of its own by distributions; the library of older ones takes it as 2.
  target_compile_options(${target} INTERFACE $<${optimised}:-fstack-protector-strong>
    $<${optimised}:-U_FORTIFY_SOURCE> $<${optimised}:-D_FORTIFY_SOURCE=3>)
  if(COMPILER_HAS_STACK_CLASH_PROTECTION)
    target_compile_options(${target} INTERFACE $<${optimised}:-fstack-clash-protection>)
  endif()
  if(COMPILER_HAS_CF_PROTECTION)
    target_compile_options(${target} INTERFACE $<${optimised}:-fcf-protection>)
  endif()
  # Addresses of functions are settled before the first of them is called, and cannot be written afterwards.
  target_link_options(${target} INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
endfunction()
