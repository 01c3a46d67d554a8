# Run by cpack when everything is installed for the package: what Debian wants otherwise than `cmake --install` does.

set(tree "${CPACK_TEMPORARY_INSTALL_DIRECTORY}")
set(source "${CPACK_SCONVERGE_SOURCE_DIR}")
set(doc "${tree}/usr/share/doc/sconverge")

# The configuration file, which dpkg never overwrites once it was changed.
configure_file("${source}/cmake/package/sconverge.yaml" "${tree}/etc/sconverge/sconverge.yaml" COPYONLY)
file(REMOVE "${doc}/examples/sconverge.yaml" "${doc}/LICENSE")

# Paths that are the distribution's own.
file(RENAME "${tree}/usr/share/zsh/site-functions" "${tree}/usr/share/zsh/vendor-completions")
file(RENAME "${tree}/usr/lib/systemd" "${tree}/usr/lib/systemd.new")
file(MAKE_DIRECTORY "${tree}/lib")
file(RENAME "${tree}/usr/lib/systemd.new" "${tree}/lib/systemd")

configure_file("${source}/cmake/package/debian/copyright" "${doc}/copyright" COPYONLY)
configure_file("${source}/cmake/package/debian/lintian-overrides" "${tree}/usr/share/lintian/overrides/sconverge" COPYONLY)

# The package's own history is that of the project.
set(version "${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  set(date_option "--date=@$ENV{SOURCE_DATE_EPOCH}")
else()
  set(date_option "--date=now")
endif()
execute_process(COMMAND env LC_ALL=C date -u -R "${date_option}" OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE)
file(RENAME "${doc}/CHANGELOG.md" "${doc}/changelog")
file(
  WRITE "${doc}/changelog.Debian"
  "sconverge (${version}) stable; urgency=medium\n\n  * Built from the project's source; what changed there is in changelog.gz.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n"
)
execute_process(
  COMMAND gzip -9n "${doc}/changelog" "${doc}/changelog.Debian" "${tree}/usr/share/man/man1/sconverge.1"
          "${tree}/usr/share/man/man5/sconverge.yaml.5" COMMAND_ERROR_IS_FATAL ANY)
