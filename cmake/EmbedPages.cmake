# Writes OUTPUT, a .cc with the function of HEADER that returns the text of PAGES, a list of files, as TYPEs of NAMESPACE:
#   cmake -DOUTPUT=… -DHEADER=cli/help/pages.h -DNAMESPACE=fensi::cli -DTYPE=Page -DNAMES=NAME_WE "-DPAGES=a.md;b.md" -P EmbedPages.cmake
# NAMES: what get_filename_component calls the part of a file's path that is its name.
set(code "#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n\n")
string(APPEND code "std::span<const ${TYPE}> ${TYPE}s() {\n  static const ${TYPE} kPages[] = {\n")
foreach(page ${PAGES})
  get_filename_component(name ${page} ${NAMES})
  file(READ ${page} text)
  # A compiler takes 64 KiB in one literal for granted; pieces of it are one.
  string(LENGTH "${text}" length)
  set(literals "")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 8000 piece)
    string(APPEND literals "R\"page(${piece})page\"\n")
    math(EXPR at "${at} + 8000")
  endwhile()
  string(APPEND code "      {\"${name}\", ${literals}},\n")
endforeach()
string(APPEND code "  };\n  return kPages;\n}\n\n}  // namespace ${NAMESPACE}\n")
file(WRITE ${OUTPUT} "${code}")
