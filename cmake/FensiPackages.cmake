# What a Debian package has beside what is installed anywhere (FensiInstall.cmake), as the component `debian`, and CPack's
# settings. deploy/package makes the packages.
set(debian deploy/debian)

install(FILES deploy/systemd/fensi@.service deploy/systemd/fensi-capture@.service
  DESTINATION /lib/systemd/system COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES deploy/systemd/fensi.sysusers DESTINATION /usr/lib/sysusers.d RENAME fensi.conf COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES deploy/systemd/fensi.tmpfiles DESTINATION /usr/lib/tmpfiles.d RENAME fensi.conf COMPONENT debian EXCLUDE_FROM_ALL)
foreach(kind run capture)
  install(FILES deploy/etc/${kind}/example.conf DESTINATION /etc/fensi/${kind} COMPONENT debian EXCLUDE_FROM_ALL)
endforeach()
install(FILES deploy/examples/guanzhu-wide-from.yaml DESTINATION /etc/fensi/mappings RENAME example.yaml
  COMPONENT debian EXCLUDE_FROM_ALL)
install(DIRECTORY DESTINATION /etc/fensi/secrets COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES ${debian}/copyright DESTINATION /usr/share/doc/fensi COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES ${debian}/lintian-overrides DESTINATION /usr/share/lintian/overrides RENAME fensi COMPONENT debian EXCLUDE_FROM_ALL)
# Behind all others: it changes what they have put there.
install(CODE "set(FENSI_VERSION ${PROJECT_VERSION})" COMPONENT debian EXCLUDE_FROM_ALL)
install(SCRIPT cmake/DebianTree.cmake COMPONENT debian EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME fensi)
set(CPACK_PACKAGE_CONTACT "fensi maintainers <maintainers@fensi.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};fensi;ALL;/;${CMAKE_BINARY_DIR};fensi;debian;/")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION database)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "secondary indexes of HBase tables, kept exact from outside")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"fensi reads the change stream of an HBase table and keeps secondary index
tables of it exact, through updates, deletes, crashes and replays. It does the
job of a coprocessor, and runs outside the region servers.

The package has the program, units for systemd (fensi@, fensi-capture@),
alerts for Prometheus, and example mappings.")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# In time zones a mapping may name; the user and the folders come from sysusers.d and tmpfiles.d.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
  "tzdata, systemd | systemd-standalone-sysusers, systemd | systemd-standalone-tmpfiles")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ca-certificates, libsasl2-modules-gssapi-mit")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA)
foreach(file postinst prerm postrm conffiles)
  list(APPEND CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/${debian}/${file})
endforeach()
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
