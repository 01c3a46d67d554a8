#include "controller/files/watch_list.h"

namespace sconverge {

WatchList watch_list_of(const Root& root, const Look& look, const Checkout& checkout) {
  WatchList list;
  for (const NameInDirectory& hop : root.hops) list[hop.directory].names.insert(hop.name);
  for (const NameInDirectory& hop : look.hops) {
    list[absolute_path(root, hop.directory)].names.insert(hop.name);
  }
  for (const SeenDirectory& directory : look.directories) {
    WatchedDirectory& watched = list[absolute_path(root, directory.physical)];
    watched.device = directory.device;
    watched.inode = directory.inode;
    watched.telling_names = true;
  }
  if (!checkout.git_directory.empty()) {
    list[checkout.git_directory].names.insert({"HEAD", "index.lock"});
  }
  return list;
}

}  // namespace sconverge
