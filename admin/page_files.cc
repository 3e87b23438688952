#include "admin/page_files.h"

#include <algorithm>

namespace fensi::admin {

const PageFile* FindPageFile(std::string_view path) {
  constexpr std::string_view kStart = "index.html";
  constexpr std::string_view kFolder = "/page/";
  std::string_view name = kStart;
  if (path != "/") {
    if (!path.starts_with(kFolder)) return nullptr;
    name = path.substr(kFolder.size());
    if (name == kStart) return nullptr;  // it has one place
  }
  const std::span<const PageFile> files = PageFiles();
  const auto found = std::find_if(files.begin(), files.end(), [&](const PageFile& each) { return each.name == name; });
  return found == files.end() ? nullptr : &*found;
}

std::string_view TypeOf(const PageFile& file) {
  if (file.name.ends_with(".html")) return "text/html; charset=utf-8";
  if (file.name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (file.name.ends_with(".css")) return "text/css; charset=utf-8";
  return "text/plain; charset=utf-8";
}

}  // namespace fensi::admin
