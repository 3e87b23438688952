# cmake --install build/release --prefix PREFIX: the program, its manual page and completions, example
# mappings, the messages of stream and dead letters, pages.
# The libraries it needs are Debian packages (deploy/packages-build.txt).
include(GNUInstallDirs)
install(TARGETS fensi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY deploy/examples deploy/kubernetes deploy/monitoring DESTINATION ${CMAKE_INSTALL_DATADIR}/fensi)
install(FILES proto/change_event.proto proto/dead_letter.proto DESTINATION ${CMAKE_INSTALL_DATADIR}/fensi/proto)
install(FILES README.md README.zh-CN.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Where the links of these pages lead, and the examples where their commands name them.
install(FILES tests/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/tests)
install(FILES admin/page/uPlot.LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR}/admin/page)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/links)
foreach(folder examples monitoring kubernetes)
  file(RELATIVE_PATH link ${CMAKE_INSTALL_FULL_DOCDIR}/deploy ${CMAKE_INSTALL_FULL_DATADIR}/fensi/${folder})
  file(CREATE_LINK ${link} ${CMAKE_BINARY_DIR}/links/${folder} SYMBOLIC)
  install(FILES ${CMAKE_BINARY_DIR}/links/${folder} DESTINATION ${CMAKE_INSTALL_DOCDIR}/deploy)
endforeach()
set(told ${CMAKE_BINARY_DIR}/cli/told)
install(FILES ${told}/fensi.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(DIRECTORY ${told}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${told}/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME fensi)
install(FILES ${told}/fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME fensi.fish)
install(FILES ${told}/zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _fensi)
