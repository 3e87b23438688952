# At the end of an installation for a Debian package: what Debian wants otherwise than others. The manual page and the
# changelog are compressed, without a time in them, and the licence is in `copyright`.
find_program(GZIP gzip REQUIRED)
set(share $ENV{DESTDIR}/usr/share)

string(TIMESTAMP day "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH's, where that is set
file(WRITE ${share}/doc/fensi/changelog "fensi (${FENSI_VERSION}) unstable; urgency=medium

  * What is new stands in CHANGELOG.md, beside this file.

 -- fensi maintainers <maintainers@fensi.example>  ${day}
")
file(REMOVE ${share}/doc/fensi/LICENSE)
file(GLOB manuals ${share}/man/man1/*.1)
execute_process(COMMAND ${GZIP} -9nf ${share}/doc/fensi/changelog ${manuals} COMMAND_ERROR_IS_FATAL ANY)
