# What `cmake --install` puts where: the program, its manual pages and completions (written by the program itself at that
# moment, so the one built here must run here), systemd's files, examples and documents. --prefix and DESTDIR are honoured.

include(GNUInstallDirs)

install(TARGETS sconverge RUNTIME COMPONENT sconverge)
install(DIRECTORY specs/examples/ DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples/jobs" COMPONENT sconverge)
install(FILES cmake/package/sconverge.yaml DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples" COMPONENT sconverge)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT sconverge)
# As they stand to each other in the repository, so that their links lead somewhere.
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT sconverge)
foreach(folder specs metrics)
  install(FILES ${folder}/README.md DESTINATION "${CMAKE_INSTALL_DOCDIR}/${folder}" COMPONENT sconverge)
endforeach()
install(
  DIRECTORY metrics/alerts metrics/dashboards DESTINATION "${CMAKE_INSTALL_DATADIR}/sconverge" COMPONENT sconverge
  FILES_MATCHING PATTERN "*.rules.yaml" PATTERN "*.json")
install(FILES specs/job_spec.schema.json DESTINATION "${CMAKE_INSTALL_DATADIR}/sconverge" COMPONENT sconverge)
install(FILES cmake/package/sysusers.conf DESTINATION lib/sysusers.d RENAME sconverge.conf COMPONENT sconverge)
install(FILES cmake/package/tmpfiles.conf DESTINATION lib/tmpfiles.d RENAME sconverge.conf COMPONENT sconverge)
install(
  CODE "set(program \"$<TARGET_FILE:sconverge>\")
        set(package \"${CMAKE_SOURCE_DIR}/cmake/package\")
        set(written \"${CMAKE_BINARY_DIR}/installed\")
        set(bindir \"${CMAKE_INSTALL_BINDIR}\")
        set(datadir \"${CMAKE_INSTALL_DATADIR}\")
        set(mandir \"${CMAKE_INSTALL_MANDIR}\")"
  COMPONENT sconverge)
install(SCRIPT cmake/package/install.cmake COMPONENT sconverge)
