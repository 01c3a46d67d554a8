# Run by `cmake --install`: files that the program writes, and those that name the place it is installed to.
# Given: program, package, written, bindir, datadir, mandir; CMAKE_INSTALL_PREFIX is where to.

# ask(<file> <argument...>): what the program prints, as a file.
function(ask file)
  execute_process(COMMAND "${program}" ${ARGN} OUTPUT_FILE "${written}/${file}" RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${program} ${ARGN} failed (${status}): the program built here must run here")
  endif()
endfunction()

function(place file directory name)
  cmake_path(ABSOLUTE_PATH directory BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
  file(INSTALL DESTINATION "${directory}" TYPE FILE RENAME "${name}" FILES "${written}/${file}")
endfunction()

file(MAKE_DIRECTORY "${written}")

ask(sconverge.1 manual sconverge)
place(sconverge.1 "${mandir}/man1" sconverge.1)
ask(sconverge.yaml.5 manual sconverge.yaml)
place(sconverge.yaml.5 "${mandir}/man5" sconverge.yaml.5)

ask(bash completion bash)
place(bash "${datadir}/bash-completion/completions" sconverge)
ask(zsh completion zsh)
place(zsh "${datadir}/zsh/site-functions" _sconverge)
ask(fish completion fish)
place(fish "${datadir}/fish/vendor_completions.d" sconverge.fish)

cmake_path(ABSOLUTE_PATH bindir BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
file(READ "${package}/hardening.conf" hardening)
foreach(unit sconverge sconverge-gateway)
  configure_file("${package}/${unit}.service.in" "${written}/${unit}.service" @ONLY)
  place(${unit}.service lib/systemd/system ${unit}.service)
endforeach()
