// The status page: the files of admin/page, which the program carries, and where browsers find them. It holds nothing
// of the daemon: it asks for /status as any other client. Pure.
#pragma once

#include <span>
#include <string_view>

namespace fensi::admin {

struct PageFile {
  std::string_view name;
  std::string_view text;
};

/// Made from admin/page at build time.
std::span<const PageFile> PageFiles();

/// Of the path of a request: / is the page, /page/NAME what belongs to it. Null: it is none of them.
const PageFile* FindPageFile(std::string_view path);

/// What a browser has to take it for.
std::string_view TypeOf(const PageFile& file);

}  // namespace fensi::admin
