# One static library per floor (a call to a higher floor does not link), and one test program per
# folder of tests. Every target of the project gets the same warnings, and warnings are errors.

find_program(SCONVERGE_CCACHE ccache)
if(SCONVERGE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${SCONVERGE_CCACHE}")
endif()

add_library(sconverge_warnings INTERFACE)
target_compile_options(
  sconverge_warnings
  INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wswitch-enum -Wnon-virtual-dtor -Werror)

# sconverge_library(<name> <libraries...>): all .cpp files of this folder as one floor.
function(sconverge_library name)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(${name} STATIC ${sources})
  target_include_directories(${name} PUBLIC "${CMAKE_SOURCE_DIR}")
  target_link_libraries(${name} PUBLIC ${ARGN} PRIVATE sconverge_warnings)
endfunction()

# sconverge_test(<folder> <label> <libraries...>): tests/<folder>/*_test.cpp as one program whose
# cases CTest lists singly.
function(sconverge_test folder label)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/${folder}/*_test.cpp")
  if(NOT sources)
    return()
  endif()
  set(name "${folder}_test")
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE ${ARGN} sconverge_warnings GTest::gmock GTest::gtest_main)
  target_compile_options(${name} PRIVATE -O0)  # a test is compiled more often than it runs
  target_compile_definitions(${name} PRIVATE SCONVERGE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  include(GoogleTest)
  gtest_discover_tests(
    ${name}
    TEST_PREFIX "${folder}."
    DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${label})
endfunction()
