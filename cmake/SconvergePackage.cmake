# `cpack -G DEB` in the build directory makes a Debian package of what `cmake --install` installs, for the Debian it is
# made on: its dependencies are those of the libraries the program was linked with.

set(SCONVERGE_MAINTAINER "root <root@localhost>" CACHE STRING "Whoever builds the Debian package, as \"NAME <ADDRESS>\"")

set(CPACK_PACKAGE_NAME sconverge)
set(CPACK_PACKAGE_VENDOR sconverge)
set(CPACK_PACKAGE_CONTACT "${SCONVERGE_MAINTAINER}")
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "keep Slurm jobs as declared")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "You keep job definitions as files in a directory, usually a git checkout.
sconverge compares them with what Slurm really runs, submits, updates or
cancels jobs until the two agree, and exports Prometheus metrics. It talks
to Slurm through slurmrestd, or through Google's Slurm Job API.")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# sysusers makes the user, tmpfiles the state directory, with or without a running systemd; the unit reloads with kill.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "ca-certificates, procps, systemd | systemd-standalone-sysusers | systemd-sysusers, systemd | systemd-standalone-tmpfiles | systemd-tmpfiles")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "bash-completion, prometheus, slurm-client")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(debian "${CMAKE_SOURCE_DIR}/cmake/package/debian")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${debian}/conffiles;${debian}/postinst;${debian}/prerm;${debian}/postrm")
set(CPACK_PRE_BUILD_SCRIPTS "${debian}/finish.cmake")
set(CPACK_SCONVERGE_SOURCE_DIR "${CMAKE_SOURCE_DIR}")

include(CPack)
